//! Metrics of the process, under the names that every Prometheus client library uses.
//!
//! They are read from `/proc` for each scrape. On systems other than Linux they are absent.

/// Sets each metric to its current value. With large tables the kernel needs a few milliseconds for this.
pub fn observe() {
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::observe() {
        tracing::debug!(%error, "the metrics of the process cannot be read");
    }
}

#[cfg(target_os = "linux")]
#[allow(clippy::cast_precision_loss)] // no process has 2^53 bytes
mod linux {
    use std::fs::{read_dir, read_to_string};
    use std::io;
    use std::sync::{Mutex, PoisonError};

    use prometheus::GaugeVec;
    use rustix::param::clock_ticks_per_second;
    use rustix::process::{Resource, getrlimit};

    use crate::service::telemetry::metrics::{
        CPU_SECONDS, Family, HUGE_PAGE_BYTES, MAX_FDS, OPEN_FDS, RESIDENT_BYTES, START_SECONDS, THREADS, VIRTUAL_BYTES,
    };

    pub(crate) fn observe() -> io::Result<()> {
        let status = read_to_string("/proc/self/status")?;
        let gauge = |family: &Family<GaugeVec, 0>, value: Option<f64>| {
            if let Some(value) = value {
                family.with([]).set(value);
            }
        };
        gauge(&RESIDENT_BYTES, kilobytes(&status, "VmRSS:"));
        gauge(&VIRTUAL_BYTES, kilobytes(&status, "VmSize:"));
        gauge(&THREADS, number(&status, "Threads:").map(|threads| threads as f64));
        gauge(&HUGE_PAGE_BYTES, kilobytes(&read_to_string("/proc/self/smaps_rollup")?, "AnonHugePages:"));
        // Subtract the descriptor that lists the folder.
        gauge(&OPEN_FDS, Some(read_dir("/proc/self/fd")?.count().saturating_sub(1) as f64));
        gauge(&MAX_FDS, Some(getrlimit(Resource::Nofile).current.map_or(f64::INFINITY, |limit| limit as f64)));

        // The name of the program, in parentheses, may contain spaces, so split after it. See proc(5) for the fields.
        let stat = read_to_string("/proc/self/stat")?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<u64>().ok());
        let per_second = clock_ticks_per_second();
        if let (Some(user), Some(system), Some(started)) = (ticks(11), ticks(12), ticks(19)) {
            // Between reading it and raising it, another scrape may not raise it too.
            static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
            let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
            let counter = CPU_SECONDS.with([]);
            counter.inc_by(((user + system) / per_second).saturating_sub(counter.get()));
            let booted = number(&read_to_string("/proc/stat")?, "btime ");
            gauge(&START_SECONDS, booted.map(|booted| booted as f64 + started as f64 / per_second as f64));
        }
        Ok(())
    }

    /// Returns the number on the line that begins with `name`.
    fn number(text: &str, name: &str) -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Converts the number on the line that begins with `name` from kB to bytes.
    fn kilobytes(text: &str, name: &str) -> Option<f64> {
        number(text, name).map(|kilobytes| (kilobytes * 1024) as f64)
    }
}
