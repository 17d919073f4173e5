//! Rates, bursts and requests at the same time.

use std::time::Duration;

use super::*;

fn user(name: &str) -> Arc<str> {
    Arc::from(name)
}

#[test]
fn a_rate_has_a_number_and_a_unit() {
    for (text, shown) in [("20/s", "20/s"), ("30/m", "30/m"), ("120/m", "2/s")] {
        assert_eq!(RequestRate::parse(text).unwrap().to_string(), shown);
    }
    for text in ["", "20", "0/s", "-1/s", "1.5/s", "20/h", "20 / s"] {
        assert_eq!(RequestRate::parse(text), Err(InvalidRate), "{text}");
    }
}

#[test]
fn a_user_may_burst_and_then_has_the_rate() {
    let limits = Limits::new(UserLimits {
        rate: RequestRate::parse("2/s").ok(),
        burst: Some(3),
        ..UserLimits::default()
    });
    let (ann, begin) = (user("ann"), Instant::now());
    let allowed = |user: &Arc<str>, millis| limits.take(user, begin + Duration::from_millis(millis)).is_ok();
    assert_eq!(
        [0, 0, 0, 0, 400, 500, 600].map(|at| allowed(&ann, at)),
        [true, true, true, false, false, true, false]
    );
    assert!(allowed(&user("bob"), 600), "another user has an allowance of its own");
    assert_eq!([9_000, 9_000, 9_000, 9_000].map(|at| allowed(&ann, at)), [true, true, true, false]);
}

#[test]
fn a_user_has_a_maximum_of_open_requests() {
    let limits = Limits::new(UserLimits { open: 2, ..UserLimits::default() });
    let (ann, now) = (user("ann"), Instant::now());
    let first = limits.take(&ann, now).unwrap();
    let _second = limits.take(&ann, now).unwrap();
    assert_eq!(limits.take(&ann, now).unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(limits.take(&user("bob"), now).is_ok());
    drop(first);
    assert!(limits.take(&ann, now).is_ok());
}

#[test]
fn a_user_who_has_all_again_is_forgotten() {
    let limits = Limits::new(UserLimits { rate: RequestRate::parse("2/s").ok(), ..UserLimits::default() });
    let begin = Instant::now();
    let open = limits.take(&user("open"), begin).unwrap();
    for number in 0..1_000 {
        let at = begin + Duration::from_secs(number);
        drop(limits.take(&user(&format!("user-{number}")), at).unwrap());
    }
    assert!(limits.users.lock().unwrap().len() < 5);
    assert!(limits.users.lock().unwrap().contains_key("open"), "one who has a request open is not");
    drop(open);
}
