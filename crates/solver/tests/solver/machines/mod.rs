mod costs;
mod executions;
mod faults;
mod model;
mod search;
