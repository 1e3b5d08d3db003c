//! Tests of the service inside this process: requests in memory or over a local socket.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

#[path = "../common/mod.rs"]
mod common;

mod access;
mod bad_input;
mod batch;
mod cancellation;
mod clients;
mod config;
mod coords_http;
mod cross_site;
mod deploy;
mod deploy_host;
mod docs;
mod explain;
mod forms;
mod http;
mod images;
mod integrity;
mod layering;
mod memory;
mod metrics;
mod moves_http;
mod openapi;
mod optimal_http;
mod overload;
mod pool;
mod promises;
mod scan_faces;
mod scans;
mod scrambles;
mod server;
mod several;
mod stream;
mod symmetries_http;
mod tables_http;
mod tables_raw;
mod tables_verify;
mod twips;
mod web;
