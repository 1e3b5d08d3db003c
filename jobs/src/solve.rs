//! Solves the lines of one chunk on one thread.

use std::time::Duration;

use futures_util::stream;
use superflip::api::batch::answers::Answers;
use superflip::api::batch::lines::{Lines, connect};
use superflip::api::batch::window::Window;
use superflip::api::problem::Problem;
use superflip::api::types::BatchOrder;
use superflip::cli::batch_lines::{TextLines, TextWriter};
use superflip::cli::input::MAX_INPUT_BYTES;
use superflip_solver::{Control, Solver};
use tokio_util::task::AbortOnDropHandle;

use crate::chunks::MAX_ANSWERS_BYTES;

/// Solves `text`, and returns one line of JSON for each line that has an answer. The first line has the number `first_line`. Reads, searches and
/// writes on this thread, so all the work has its priority. Returns `None` if `control` is cancelled first. Stops writing beyond
/// [`MAX_ANSWERS_BYTES`].
pub(crate) fn solve(
    text: Vec<u8>,
    first_line: u64,
    lines: TextLines,
    solver: &Solver,
    in_flight: usize,
    control: &Control,
) -> Result<Option<Vec<u8>>, Problem> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|_| Problem::internal())?;
    let count = text.split(|&byte| byte == b'\n').count();
    let text_bytes = text.len();
    let limit = usize::try_from(MAX_INPUT_BYTES).unwrap_or(usize::MAX);
    let first_line = usize::try_from(first_line).unwrap_or(usize::MAX);
    let input = Lines::new(stream::iter([Ok::<_, Problem>(text)]), limit).numbered_from(first_line);
    // The window has room for every line, so the reader ends before a search starts.
    let window = Window::for_all(count, text_bytes);
    let (reader, searches, answered) = connect(input, lines, window.clone(), Duration::MAX);
    runtime.block_on(reader.run())?;
    searches.run(solver, in_flight, control);
    if control.is_cancelled() {
        return Ok(None);
    }
    let batch = AbortOnDropHandle::new(runtime.spawn(async { Ok(()) }));
    let mut answers = Answers::new(answered, BatchOrder::Input, window, batch, TextWriter::new(true));
    let mut text = Vec::new();
    runtime.block_on(async {
        while text.len() as u64 <= MAX_ANSWERS_BYTES
            && let Some(answers) = answers.next_chunk().await
        {
            text.extend_from_slice(&answers);
        }
    });
    Ok(Some(text))
}
