mod costs;
mod executions;
mod faults;
mod model;
mod schedules;
mod search;
