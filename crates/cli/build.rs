//! Packs the relocations of the program where the system can read that.
//!
//! Most of its 47,000 relocations add the address of the program to a pointer. Packed (`DT_RELR`) they take 15 KB instead of 1.1 MB,
//! which each process reads at its start. The dynamic linker understands them from glibc 2.36 on.

use std::env;
use std::process::Command;

/// The first glibc that reads them.
const LEAST: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|own| own == value);
    let for_glibc = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    // What is built for another machine may meet an older glibc.
    let for_this_machine = env::var("HOST").ok() == env::var("TARGET").ok();
    if for_glibc && for_this_machine && glibc().is_some_and(|version| version >= LEAST) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's glibc, as `getconf` prints it: `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
