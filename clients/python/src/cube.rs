//! Cubes and moves.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use superflip::api::problem::{Code, Problem};
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Form, Holding, Moves, random_cube};
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::svg;

use crate::exception;

/// A cube that moves can reach. It does not change.
///
/// `Cube()` is the solved cube. `Cube(text)` reads 54 stickers, a scramble or any other form, and `Cube(text, "reid")` one form.
/// Letters name places: U, R, F, D, L, B.
///
/// Raises:
///     InvalidInput: the text is no cube, several cubes, or an impossible one; `violations` has all reasons
#[pyclass(name = "Cube", module = "superflip", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyCube(pub(crate) Cube);

/// Returns the form with this name.
fn form(name: &str) -> PyResult<Form> {
    Form::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Form::ALL.iter().map(|form| form.name()).collect();
        PyValueError::new_err(format!("`{name}` is no form; expected one of: {}", names.join(", ")))
    })
}

/// Reads a cube from a text, in a form or in any.
pub(crate) fn read(py: Python<'_>, text: &str, form: Option<Form>) -> PyResult<Cube> {
    Read::of(text, form, Buffers::default()).map(|read| read.cube).map_err(|error| exception(py, error))
}

/// Creates the error for an argument of a wrong type.
fn wrong_type(expected: &str, given: Borrowed<'_, '_, PyAny>) -> PyErr {
    let given = given.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, not {given}"))
}

/// Returns the characters of a text. A text of Python may have lone surrogates, which are no characters.
fn characters(text: Borrowed<'_, '_, PyAny>, code: Code, expected: &str) -> PyResult<String> {
    let py = text.py();
    text.extract().map_err(|error: PyErr| {
        let at = error.value(py).getattr("start").and_then(|at| at.extract::<usize>());
        at.map_or(error, |at| {
            let detail =
                format!("The text has a lone surrogate at index {at}, half of a character; expected {expected}.");
            exception(py, Problem::new(code, detail))
        })
    })
}

/// A cube as an argument: the object, or a text in any form.
pub(crate) enum CubeArgument {
    Cube(PyCube),
    Text(String),
}

impl FromPyObject<'_, '_> for CubeArgument {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            let expected = "a cube in any form, such as 54 stickers or a scramble";
            return characters(given, Code::UnreadableCube, expected).map(Self::Text);
        }
        given.extract().map(Self::Cube).map_err(|_| wrong_type("a cube as a str or a superflip.Cube", given))
    }
}

impl CubeArgument {
    pub(crate) fn read(&self, py: Python<'_>) -> PyResult<Cube> {
        match self {
            Self::Cube(cube) => Ok(cube.0),
            Self::Text(text) => read(py, text, None),
        }
    }
}

/// Moves as an argument: the object, or a text.
pub(crate) enum MovesArgument {
    Moves(PyMoves),
    Text(String),
}

impl FromPyObject<'_, '_> for MovesArgument {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return characters(given, Code::Notation, "moves, such as R U2 F'").map(Self::Text);
        }
        given.extract().map(Self::Moves).map_err(|_| wrong_type("moves as a str or superflip.Moves", given))
    }
}

impl MovesArgument {
    fn read(self, py: Python<'_>) -> PyResult<Moves> {
        match self {
            Self::Moves(moves) => Ok(moves.0),
            Self::Text(text) => text.parse().map_err(|error| exception(py, error)),
        }
    }
}

#[pymethods]
impl PyCube {
    #[new]
    #[pyo3(signature = (text = None, form = None))]
    fn new(py: Python<'_>, text: Option<CubeArgument>, form: Option<&str>) -> PyResult<Self> {
        match (text, form.map(self::form).transpose()?) {
            (None, None) => Ok(Self(Cube::SOLVED)),
            (Some(CubeArgument::Text(text)), form) => read(py, &text, form).map(Self),
            (Some(CubeArgument::Cube(cube)), None) => Ok(cube),
            _ => Err(PyTypeError::new_err("`form` names the form of a text; pass a text with it")),
        }
    }

    /// Returns a cube drawn with equal probability from all 43 252 003 274 489 856 000 cubes.
    #[staticmethod]
    fn random() -> Self {
        Self(random_cube(&mut rand::rng()))
    }

    /// Returns a cube from Kociemba's arrays, "replaced-by": entry i is the piece in slot i, and how it is turned.
    ///
    /// Args:
    ///     cp: 8 corners, 0 to 7 in the order URF UFL ULB UBR DFR DLF DBL DRB
    ///     co: their twists, 0 to 2
    ///     ep: 12 edges, 0 to 11 in the order UR UF UL UB DR DF DL DB FR FL BL BR
    ///     eo: their flips, 0 or 1
    ///
    /// Raises:
    ///     InvalidInput: no moves reach the cube
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value)] // Python's sequences are converted
    fn from_cubies(py: Python<'_>, cp: Vec<u32>, co: Vec<u32>, ep: Vec<u32>, eo: Vec<u32>) -> PyResult<Self> {
        Cube::from_cubies(&cp, &co, &ep, &eo).map(Self).map_err(|error| exception(py, error))
    }

    /// The 54 stickers as letters URFDLB: faces in the order U R F D L B, each row by row as seen from outside.
    #[getter]
    fn facelets(&self) -> String {
        self.0.to_string()
    }

    /// Kociemba's arrays: `(cp, co, ep, eo)`, as `from_cubies` takes them.
    #[getter]
    fn cubies(&self) -> ([u8; 8], [u8; 8], [u8; 12], [u8; 12]) {
        let cube = &self.0;
        (cube.corners().map(|corner| corner as u8), *cube.twists(), cube.edges().map(|edge| edge as u8), *cube.flips())
    }

    /// Whether the cube is solved.
    #[getter]
    fn is_solved(&self) -> bool {
        self.0.is_solved()
    }

    /// Returns the cube after moves, a text such as `"R U R'"` or `Moves`.
    ///
    /// Raises:
    ///     InvalidInput: the text is no moves; `code` is `notation`
    fn apply(&self, py: Python<'_>, moves: MovesArgument) -> PyResult<Self> {
        Ok(Self(self.0.after(&moves.read(py)?)))
    }

    /// Returns the inverse: the cube that this one solves.
    fn inverse(&self) -> Self {
        Self(self.0.inverse())
    }

    /// Writes the cube in a form: `facelets`, `ulfrbd`, `net`, `digits`, `reid`, `b32`, `speffz`, `twizzle` or `kpattern`.
    ///
    /// Raises:
    ///     ValueError: there is no such form, or it is only read
    #[allow(clippy::wrong_self_convention)] // Python passes a reference
    fn to_form(&self, name: &str) -> PyResult<String> {
        let only_read = || PyValueError::new_err(format!("cubes are not written in the form `{name}`"));
        form(name)?.write(&self.0, Holding::HOME).ok_or_else(only_read)
    }

    /// Returns the cube in each form that can be written, by its name.
    fn forms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let forms = PyDict::new(py);
        for form in Form::ALL {
            if let Some(text) = form.write(&self.0, Holding::HOME) {
                forms.set_item(form.name(), text)?;
            }
        }
        Ok(forms)
    }

    /// Returns the picture of the cube as SVG, in the colours of the World Cube Association.
    fn svg(&self) -> PyResult<String> {
        let picture = Parameters::default().read_cube(&self.0, Holding::HOME, Reading::Strict);
        let picture = picture.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(svg::write(&picture.scene()))
    }

    /// Shows the cube in a notebook.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    /// Returns the cube after this one and then `other`, as `cube * other.`
    fn __mul__(&self, other: &Self) -> Self {
        Self(self.0.then(&other.0))
    }

    fn __str__(&self) -> String {
        self.facelets()
    }

    fn __repr__(&self) -> String {
        format!("Cube('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.facelets(),)
    }
}

/// Face moves, such as `Moves("R U R' U'")`. They do not change.
///
/// Raises:
///     InvalidInput: the text is no moves; `code` is `notation`
#[pyclass(name = "Moves", module = "superflip", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyMoves(pub(crate) Moves);

#[pymethods]
impl PyMoves {
    #[new]
    #[pyo3(signature = (text = MovesArgument::Text(String::new())))]
    fn new(py: Python<'_>, text: MovesArgument) -> PyResult<Self> {
        text.read(py).map(Self)
    }

    /// Returns the moves that undo these.
    fn inverse(&self) -> Self {
        Self(self.0.inverse())
    }

    /// Returns the length in a metric: `htm` (half turns are 1), `qtm` (half turns are 2), `stm`, `axht`, `axqt` or `etm`.
    ///
    /// Raises:
    ///     ValueError: there is no such metric
    #[pyo3(signature = (metric = "htm"))]
    fn length(&self, metric: &str) -> PyResult<usize> {
        let found = Metric::ALL.into_iter().find(|own| own.name() == metric);
        let names = || Metric::ALL.map(Metric::name).join(", ");
        let unknown = || PyValueError::new_err(format!("`{metric}` is no metric; expected one of: {}", names()));
        Ok(found.ok_or_else(unknown)?.length(&self.0))
    }

    fn __add__(&self, py: Python<'_>, other: MovesArgument) -> PyResult<Self> {
        Ok(Self(self.0.iter().copied().chain(other.read(py)?).collect()))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<&'static str> {
        let at = if index < 0 { self.0.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let mv = at.and_then(|at| self.0.get(at));
        mv.map(|mv| mv.name()).ok_or_else(|| PyIndexError::new_err("there is no such move"))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Moves(\"{}\")", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}
