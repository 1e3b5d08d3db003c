//! Tests of the service inside this process: requests in memory or over a local socket.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

/// Routes for clients of other programs, scrambles, pictures, and the page for browsers.
mod clients {
    mod images;
    mod routes;
    mod scrambles;
    mod twips;
    mod web;
}

/// Coordinates, moves and symmetries over HTTP.
mod coords {
    mod moves;
    mod spaces;
    mod symmetries;
    mod values;
    mod walks;
}

/// Every endpoint and every error, access control, and requests of pages of other sites.
mod http {
    mod access;
    mod cross_site;
    mod endpoints;
}

/// What clients send: the forms of a cube, scans, and malformed requests.
mod input {
    mod bad_input;
    mod checker;
    mod colours;
    mod forms;
    mod links;
    mod refusals;
    mod scan_faces;
    mod scans;
}

/// The service under load: queues, overload, cancellation, limits on memory, slow clients, and shutdown.
mod load {
    mod cancellation;
    mod memory;
    mod overload;
    mod pool;
    mod server;
}

mod openapi;

/// The configuration, the metrics, the documentation and the deployment files match the code, and tests do not sleep for long.
mod project {
    mod architecture;
    mod config;
    mod deploy_host;
    mod docs;
    mod layering;
    mod metrics;
    mod promises;
    mod suites;
    mod waiting;
}

/// Solving over HTTP: one cube, several solutions, batches, streams, proofs, explanations, checks and diagnoses.
mod solve {
    mod batch;
    mod batch_ahead;
    mod batch_flow;
    mod check;
    mod diagnose;
    mod explain;
    mod machine_slips;
    mod machines;
    mod metrics;
    mod optimal;
    mod optimal_table;
    mod several;
    mod steps;
    mod stream;
    mod target;
    mod turns;
}

/// Tables over HTTP: rows, files, checks, and damage.
mod tables {
    mod integrity;
    mod raw;
    mod rows;
    mod verify;
}
