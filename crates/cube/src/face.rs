//! The six faces and the three axes.

/// A vector on the integer grid: x to the right, y up, z towards the viewer.
pub type Vector = [i8; 3];

/// A face of the cube, named by its place. Index 0..6 in the order `U R F D L B`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[repr(u8)]
pub enum Face {
    /// Up, +y.
    U,
    /// Right, +x.
    R,
    /// Front, +z.
    F,
    /// Down, -y.
    D,
    /// Left, -x.
    L,
    /// Back, -z.
    B,
}

impl Face {
    /// Number of faces.
    pub const COUNT: usize = 6;
    /// Every face in index order.
    pub const ALL: [Self; Self::COUNT] = [Self::U, Self::R, Self::F, Self::D, Self::L, Self::B];

    /// Returns the index 0..6 in the order `U R F D L B`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the face with this index, or `None` from 6 on.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// Returns the opposite face.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self.index() + 3) % 6]
    }

    /// Returns the axis of this face.
    #[inline]
    pub const fn axis(self) -> Axis {
        Axis::ALL[self.index() % 3]
    }

    /// Returns the letter of the face.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self.index()]
    }

    /// Returns the letter of the face as text.
    pub const fn name(self) -> &'static str {
        ["U", "R", "F", "D", "L", "B"][self.index()]
    }

    /// Returns the face of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// Returns the outward unit normal.
    pub const fn normal(self) -> Vector {
        [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, -1, 0], [-1, 0, 0], [0, 0, -1]][self.index()]
    }

    /// Returns the face with this outward normal.
    pub(crate) const fn from_normal(normal: Vector) -> Self {
        let mut i = 0;
        while i < Self::COUNT {
            let n = Self::ALL[i].normal();
            if n[0] == normal[0] && n[1] == normal[1] && n[2] == normal[2] {
                return Self::ALL[i];
            }
            i += 1;
        }
        panic!("not a unit vector along an axis")
    }
}

impl std::fmt::Display for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Axis of the cube, named by its two faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[repr(u8)]
pub enum Axis {
    /// Up and down.
    Ud,
    /// Right and left.
    Rl,
    /// Front and back.
    Fb,
}

impl Axis {
    /// Number of axes.
    pub const COUNT: usize = 3;
    /// Every axis in index order.
    pub const ALL: [Self; Self::COUNT] = [Self::Ud, Self::Rl, Self::Fb];

    /// Returns the index 0..3.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the two letters of the axis.
    pub const fn name(self) -> &'static str {
        ["UD", "RL", "FB"][self.index()]
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
