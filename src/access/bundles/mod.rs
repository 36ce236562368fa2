//! stub
use super::{Admission, Clock};
use jiff::Timestamp;
use std::sync::Arc;

#[derive(Debug)]
pub struct Bundles {
    clock: Clock,
}
pub struct Standing {
    pub limit: u64,
    pub remaining: u64,
    pub reset: Timestamp,
}
pub enum NotNow {
    Exhausted,
    Wait,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Exhausted,
    Unavailable,
}
pub struct Taken;
impl Taken {
    pub fn keep(self) {}
}
impl Bundles {
    pub fn new(clock: Clock) -> Self {
        Self { clock }
    }
    pub fn standing(&self, whose: &Admission) -> Standing {
        let l = u64::from(whose.plan.limits().calls_per_month.get());
        Standing {
            limit: l,
            remaining: l,
            reset: self.clock.now(),
        }
    }
    pub fn try_take(self: &Arc<Self>, _whose: &Admission, _calls: u32) -> Result<Taken, NotNow> {
        Ok(Taken)
    }
    pub async fn take(self: &Arc<Self>, _whose: &Admission, _calls: u32) -> Result<Taken, Refused> {
        Ok(Taken)
    }
}
