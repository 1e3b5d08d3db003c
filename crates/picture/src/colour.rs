//! Colours: letters, names, hexadecimal digits, and schemes of six.

use std::fmt;

/// A colour by its red, green and blue parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub [u8; 3]);

/// Paint of a sticker; `None` is a transparent sticker, which is not drawn.
pub type Paint = Option<Rgb>;

impl Rgb {
    /// Creates a colour from a number such as `0xEE0000`.
    pub const fn new(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self([red, green, blue])
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Every colour with a name: its letter, its name and its value.
const NAMED: [(char, &str, Rgb); 12] = [
    ('n', "black", BLACK),
    ('d', "dgrey", DARK_GREY),
    ('l', "grey", GREY),
    ('s', "silver", SILVER),
    ('w', "white", WHITE),
    ('y', "yellow", YELLOW),
    ('r', "red", RED),
    ('o', "orange", ORANGE),
    ('b', "blue", BLUE),
    ('g', "green", GREEN),
    ('m', "purple", Rgb::new(0xA8_3DD9)),
    ('p', "pink", Rgb::new(0xF3_3D7B)),
];

/// `n`, the default of the cube's body.
pub(crate) const BLACK: Rgb = Rgb::new(0);
/// `d`, a masked sticker.
pub(crate) const DARK_GREY: Rgb = Rgb::new(0x40_4040);
/// `l`, the default of arrows.
pub(crate) const GREY: Rgb = Rgb::new(0x80_8080);
/// `s`, the body in the view `trans`.
pub(crate) const SILVER: Rgb = Rgb::new(0xBF_BFBF);
/// `w`, the default background.
pub const WHITE: Rgb = Rgb::new(0xFF_FFFF);
const YELLOW: Rgb = Rgb::new(0xFE_FE00);
const RED: Rgb = Rgb::new(0xEE_0000);
const ORANGE: Rgb = Rgb::new(0xFF_A100);
const BLUE: Rgb = Rgb::new(0x00_00F2);
const GREEN: Rgb = Rgb::new(0x00_D800);

/// Names of the colours, for messages.
pub const EXPECTED: &str = "a letter of `ndlswyrobgmp`, a name (black, dgrey, grey, silver, white, yellow, red, orange, blue, green, \
    purple, pink), or 3 or 6 hexadecimal digits";

/// Returns the paint of a letter; `t` is transparent.
pub(crate) fn of_letter(letter: char) -> Option<Paint> {
    let named = NAMED.iter().find(|(known, ..)| *known == letter);
    named.map(|(.., rgb)| Some(*rgb)).or((letter == 't').then_some(None))
}

/// Parses a colour: a letter, a name, or 3 or 6 hexadecimal digits, which may begin with `#`.
pub fn parse(text: &str) -> Option<Paint> {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return of_letter(letter);
    }
    let named = NAMED.iter().find(|(_, name, _)| *name == text);
    named.map(|(.., rgb)| Some(*rgb)).or_else(|| hexadecimal(text).map(Some))
}

/// Parses 3 or 6 hexadecimal digits, which may begin with `#`.
pub fn hexadecimal(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some(Rgb::new(value)),
        3 => Some(Rgb([8, 4, 0].map(|shift| (value >> shift & 0xF) as u8 * 0x11))),
        _ => None,
    }
}

/// Colours of the faces in the order U R F D L B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme(pub [Paint; 6]);

impl Scheme {
    /// `yrbwog`: yellow up, red right, blue in front. The default of `VisualCube`.
    pub(crate) const VISUALCUBE: Self =
        Self([Some(YELLOW), Some(RED), Some(BLUE), Some(WHITE), Some(ORANGE), Some(GREEN)]);
    /// `wrgyob`: white up, red right, green in front. The colours of the World Cube Association.
    pub const WCA: Self = Self([Some(WHITE), Some(RED), Some(GREEN), Some(YELLOW), Some(ORANGE), Some(BLUE)]);

    /// Parses six letters.
    pub(crate) fn of_letters(text: &str) -> Option<Self> {
        Self::collect(text.chars().map(of_letter))
    }

    /// Parses six colours separated by commas.
    pub fn of_list(text: &str) -> Option<Self> {
        Self::collect(text.split(',').map(parse))
    }

    /// Collects exactly six colours.
    pub fn collect(colours: impl Iterator<Item = Option<Paint>>) -> Option<Self> {
        let mut scheme = [None; 6];
        let mut count = 0;
        for colour in colours {
            *scheme.get_mut(count)? = colour?;
            count += 1;
        }
        (count == 6).then_some(Self(scheme))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_letters_names_and_digits() {
        for text in ["r", "red", "EE0000", "#ee0000", "e00"] {
            let expected = if text == "e00" { Rgb::new(0xEE_0000) } else { RED };
            assert_eq!(parse(text), Some(Some(expected)), "{text}");
        }
        assert_eq!(parse("t"), Some(None));
        assert_eq!(parse("1a9"), Some(Some(Rgb::new(0x11_AA99))));
        for text in ["", "x", "Red", "12", "1234", "12345g", "+12345", "#", "##ffffff", "ééé"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(Rgb::new(0x00_00F2).to_string(), "#0000f2");
    }

    #[test]
    fn schemes_have_six_colours() {
        assert_eq!(Scheme::of_letters("yrbwog"), Some(Scheme::VISUALCUBE));
        assert_eq!(Scheme::of_letters("wrgyob"), Some(Scheme::WCA));
        assert_eq!(Scheme::of_list("w,red,g,FEFE00,orange,b"), Some(Scheme::WCA));
        for text in ["", "yrbwo", "yrbwogy", "yrbwoq"] {
            assert_eq!(Scheme::of_letters(text), None, "{text}");
        }
        for text in ["w,r,g,y,o", "w,r,g,y,o,", "w,r,g,y,o,b,b"] {
            assert_eq!(Scheme::of_list(text), None, "{text}");
        }
    }
}
