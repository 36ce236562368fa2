//! Defines counters and gauges, each with its name and its help text. Converts a count, a flag, a time or a day to the floating-point value
//! of a gauge.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use metrics::{Counter, counter, describe_counter, describe_gauge, gauge};

/// A counter.
#[derive(Clone, Copy)]
pub(crate) struct CounterMetric {
    name: &'static str,
    help: &'static str,
}

/// A counter for each value of a label.
#[derive(Clone, Copy)]
pub(crate) struct LabeledCounter {
    name: &'static str,
    label: &'static str,
    help: &'static str,
}

/// A gauge.
#[derive(Clone, Copy)]
pub(crate) struct GaugeMetric {
    name: &'static str,
    help: &'static str,
}

impl CounterMetric {
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help }
    }

    /// Describes the counter and sets it to 0, so that an alert can distinguish the value 0 from a process that is not running.
    pub(crate) fn register(self) {
        describe_counter!(self.name, self.help);
        self.add(0);
    }

    pub(crate) fn add(self, count: u64) {
        counter!(self.name).increment(count);
    }
}

impl LabeledCounter {
    pub(crate) const fn new(name: &'static str, label: &'static str, help: &'static str) -> Self {
        Self { name, label, help }
    }

    /// Describes the counters, and sets the counter of each label value to 0.
    pub(crate) fn register(self, values: &[&'static str]) {
        describe_counter!(self.name, self.help);
        for value in values {
            self.counter(value).increment(0);
        }
    }

    /// The counter of a label value. Each call of this function looks the counter up again. Code that counts often should therefore keep
    /// the returned counter.
    pub(crate) fn counter(self, value: &'static str) -> Counter {
        counter!(self.name, self.label => value)
    }
}

impl GaugeMetric {
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help }
    }

    /// Describes the gauge and sets it to 0.
    pub(crate) fn register(self) {
        self.describe();
        self.set(0.0);
    }

    /// Describes a gauge that has no value before its first event.
    pub(crate) fn describe(self) {
        describe_gauge!(self.name, self.help);
    }

    pub(crate) fn set(self, value: f64) {
        gauge!(self.name).set(value);
    }

    /// Sets the gauge to 1 or 0.
    pub(crate) fn set_flag(self, value: bool) {
        self.set(f64::from(u8::from(value)));
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a gauge is a float; a count above 2^53 may be off by one"
    )]
    pub(crate) fn set_count(self, count: u64) {
        self.set(count as f64);
    }

    /// Sets the gauge to a Unix time.
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    pub(crate) fn set_unix_time(self, seconds: i64) {
        self.set(seconds as f64);
    }

    pub(crate) fn set_now(self) {
        self.set_unix_time(jiff::Timestamp::now().as_second());
    }

    /// Sets the gauge to the Unix time of the start of a day in UTC.
    pub(crate) fn set_day(self, day: Date) {
        if let Ok(midnight) = day.to_zoned(TimeZone::UTC) {
            self.set_unix_time(midnight.timestamp().as_second());
        }
    }
}
