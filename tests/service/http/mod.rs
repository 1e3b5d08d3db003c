//! Every endpoint and every error, access control, and requests of pages of other sites.

mod access;
mod cross_site;
mod endpoints;
