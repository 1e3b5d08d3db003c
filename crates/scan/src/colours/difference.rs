//! The colour difference CIEDE2000.
//!
//! Formulae and test data: Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes, supplementary test
//! data, and mathematical observations", Color Research & Application 30 (2005).

use super::samples::Rgb;

/// Lightness 0 to 100, and the axes from green to red and from blue to yellow.
type Lab = [f64; 3];

/// XYZ of the white of sRGB, which is the standard illuminant D65.
const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];

/// From linear sRGB to XYZ (IEC 61966-2-1).
const TO_XYZ: [[f64; 3]; 3] = [
    [0.412_456_4, 0.357_576_1, 0.180_437_5],
    [0.212_672_9, 0.715_152_2, 0.072_175_0],
    [0.019_333_9, 0.119_192_0, 0.950_304_1],
];

/// Returns the colour difference of two sRGB colours.
pub(super) fn delta_e(a: Rgb, b: Rgb) -> f64 {
    ciede2000(lab(a), lab(b))
}

fn lab(rgb: Rgb) -> Lab {
    let linear = rgb.map(|channel| {
        let encoded = channel.clamp(0.0, 255.0) / 255.0;
        if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    });
    let [x, y, z] = std::array::from_fn(|i| {
        let ratio = TO_XYZ[i].iter().zip(linear).map(|(factor, light)| factor * light).sum::<f64>() / WHITE[i];
        let bend = 6.0 / 29.0_f64;
        if ratio > bend.powi(3) { ratio.cbrt() } else { ratio / (3.0 * bend * bend) + 4.0 / 29.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab) -> f64 {
    // Near grey this is 0, far above a chroma of 25 it is 1. The axis from green to red is stretched near grey, by up to 1.5.
    let damping = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25.0_f64.powi(7))).sqrt();
    let stretch = 1.0 + 0.5 * (1.0 - damping(f64::midpoint(a1.hypot(b1), a2.hypot(b2))));
    let polar = |a: f64, b: f64| {
        let a = stretch * a;
        (a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0))
    };
    let ((c1, h1), (c2, h2)) = (polar(a1, b1), polar(a2, b2));

    // Difference and mean of the hues, by the shorter arc. A grey has no hue, and its angle is 0 here: the sum is the hue of the other.
    let (arc, hue) = match h2 - h1 {
        _ if c1 * c2 == 0.0 => (0.0, h1 + h2),
        arc if arc > 180.0 => (arc - 360.0, h1 + arc / 2.0 - 180.0),
        arc if arc < -180.0 => (arc + 360.0, h1 + arc / 2.0 + 180.0),
        arc => (arc, h1 + arc / 2.0),
    };
    let (lightness, chroma) = (f64::midpoint(l1, l2), f64::midpoint(c1, c2));

    let cos = |degrees: f64| degrees.to_radians().cos();
    let weight = 1.0 - 0.17 * cos(hue - 30.0) + 0.24 * cos(2.0 * hue) + 0.32 * cos(3.0 * hue + 6.0)
        - 0.20 * cos(4.0 * hue - 63.0);
    let from_middle = (lightness - 50.0).powi(2);
    let by_lightness = (l2 - l1) / (1.0 + 0.015 * from_middle / (20.0 + from_middle).sqrt());
    let by_chroma = (c2 - c1) / (1.0 + 0.045 * chroma);
    let by_hue = 2.0 * (c1 * c2).sqrt() * (arc / 2.0).to_radians().sin() / (1.0 + 0.015 * chroma * weight);

    // In blue, chroma and hue are not independent.
    let from_blue = (hue.rem_euclid(360.0) - 275.0) / 25.0;
    let turn = 60.0 * (-from_blue.powi(2)).exp();
    let rotation = -2.0 * damping(chroma) * turn.to_radians().sin();
    (by_lightness.powi(2) + by_chroma.powi(2) + by_hue.powi(2) + rotation * by_chroma * by_hue).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of sRGB and its middle grey, as Bruce Lindbloom's calculator has them for the white D65.
    #[test]
    fn colours_have_their_published_lab_values() {
        for (rgb, expected) in [
            ([255.0, 0.0, 0.0], [53.241, 80.092, 67.203]),
            ([0.0, 255.0, 0.0], [87.735, -86.183, 83.179]),
            ([0.0, 0.0, 255.0], [32.297, 79.188, -107.860]),
            ([128.0, 128.0, 128.0], [53.585, 0.0, 0.0]),
            ([255.0, 255.0, 255.0], [100.0, 0.0, 0.0]),
        ] {
            let found = lab(rgb);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02), "{rgb:?}: {found:?}");
        }
    }

    #[test]
    fn differences_match_the_published_pairs() {
        let pairs = [
            ([50.0, 2.677_2, -79.775_1], [50.0, 0.0, -82.748_5], 2.042_5),
            ([50.0, 3.157_1, -77.280_3], [50.0, 0.0, -82.748_5], 2.861_5),
            ([50.0, 2.836_1, -74.02], [50.0, 0.0, -82.748_5], 3.441_2),
            ([50.0, -1.380_2, -84.281_4], [50.0, 0.0, -82.748_5], 1.0),
            ([50.0, -1.184_8, -84.800_6], [50.0, 0.0, -82.748_5], 1.0),
            ([50.0, -0.900_9, -85.521_1], [50.0, 0.0, -82.748_5], 1.0),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.366_9),
            ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.366_9),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.000_9], 7.179_2),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.001], 7.179_2),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.001_1], 7.219_5),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.001_2], 7.219_5),
            ([50.0, -0.001, 2.49], [50.0, 0.000_9, -2.49], 4.804_5),
            ([50.0, -0.001, 2.49], [50.0, 0.001, -2.49], 4.804_5),
            ([50.0, -0.001, 2.49], [50.0, 0.001_1, -2.49], 4.746_1),
            ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.306_5),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.149_2),
            ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.897_7),
            ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.903),
            ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.453_5),
            ([50.0, 2.5, 0.0], [50.0, 3.173_6, 0.585_4], 1.0),
            ([50.0, 2.5, 0.0], [50.0, 3.297_2, 0.0], 1.0),
            ([50.0, 2.5, 0.0], [50.0, 1.863_4, 0.575_7], 1.0),
            ([50.0, 2.5, 0.0], [50.0, 3.259_2, 0.335], 1.0),
            ([60.257_4, -34.009_9, 36.267_7], [60.462_6, -34.175_1, 39.438_7], 1.264_4),
            ([63.010_9, -31.096_1, -5.866_3], [62.818_7, -29.794_6, -4.086_4], 1.263),
            ([61.290_1, 3.719_6, -5.390_1], [61.429_2, 2.248, -4.962], 1.873_1),
            ([35.083, -44.116_4, 3.793_3], [35.023_2, -40.071_6, 1.590_1], 1.864_5),
            ([22.723_3, 20.090_4, -46.694], [23.033_1, 14.973, -42.561_9], 2.037_3),
            ([36.461_2, 47.858, 18.385_2], [36.271_5, 50.506_5, 21.223_1], 1.414_6),
            ([90.802_7, -2.083_1, 1.441], [91.152_8, -1.643_5, 0.044_7], 1.444_1),
            ([90.925_7, -0.540_6, -0.920_8], [88.638_1, -0.898_5, -0.723_9], 1.538_1),
            ([6.774_7, -0.290_8, -2.424_7], [5.871_4, -0.098_5, -2.228_6], 0.637_7),
            ([2.077_6, 0.079_5, -1.135], [0.903_3, -0.063_6, -0.551_4], 0.908_2),
        ];
        for (a, b, expected) in pairs {
            for difference in [ciede2000(a, b), ciede2000(b, a)] {
                assert!((difference - expected).abs() < 5.1e-5, "{a:?} {b:?}: {difference}, not {expected}");
            }
        }
    }

    #[test]
    fn srgb_primaries_have_their_published_values() {
        // CIE 15, with the white point of sRGB.
        for (rgb, expected) in [
            ([255.0, 255.0, 255.0], [100.0, 0.0, 0.0]),
            ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
            ([255.0, 0.0, 0.0], [53.24, 80.09, 67.20]),
            ([0.0, 255.0, 0.0], [87.73, -86.18, 83.18]),
            ([0.0, 0.0, 255.0], [32.30, 79.19, -107.86]),
        ] {
            let got = lab(rgb);
            assert!(got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 0.01), "{rgb:?}: {got:?}");
        }
        assert!((delta_e([255.0; 3], [0.0; 3]) - 100.0).abs() < 1e-3);
    }
}
