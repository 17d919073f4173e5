//! Numbers of system calls, by the calling conventions of this machine.

/// The calls of a convention (`AUDIT_ARCH_…`), with their numbers.
pub(super) struct Calls {
    pub(super) convention: u32,
    pub(super) calls: &'static [(u32, Call)],
}

/// What decides whether a call is refused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Call {
    /// It may change the process itself, which is the number 0 in this argument.
    Process { argument: u32 },
    /// It may change the process itself and its group: the first argument says what the number in the second one is, and
    /// with this value it is a user.
    Target { user: u32 },
    /// Its argument is a mode of a file.
    Mode { argument: u32 },
    /// It uses objects that programs share by number.
    SharedObject,
    /// It uses the keys that the kernel stores for a user, as if the kernel had none.
    Keys,
}

const PRIORITY: Call = Call::Target { user: 2 };
const IO_PRIORITY: Call = Call::Target { user: 3 };
const PROCESS: Call = Call::Process { argument: 0 };
const MODE: Call = Call::Mode { argument: 1 };
const MODE_AT: Call = Call::Mode { argument: 2 };
const SHARED: Call = Call::SharedObject;

#[cfg(target_arch = "x86_64")]
pub(super) const CONVENTIONS: &[Calls] =
    &[Calls { convention: 0xc000_003e, calls: X86_64 }, Calls { convention: 0x4000_0003, calls: X86 }];
#[cfg(target_arch = "aarch64")]
pub(super) const CONVENTIONS: &[Calls] =
    &[Calls { convention: 0xc000_00b7, calls: GENERIC }, Calls { convention: 0x4000_0028, calls: ARM }];
#[cfg(target_arch = "riscv64")]
pub(super) const CONVENTIONS: &[Calls] = &[Calls { convention: 0xc000_00f3, calls: GENERIC }];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
pub(super) const CONVENTIONS: &[Calls] = &[];

/// Programs of the convention x32 of x86-64 have this bit in the same numbers.
pub(super) const X32: u32 = 0x4000_0000;

#[cfg(target_arch = "x86_64")]
const X86_64: &[(u32, Call)] = &[
    (302, PROCESS),
    (141, PRIORITY),
    (142, PROCESS),
    (144, PROCESS),
    (203, PROCESS),
    (251, IO_PRIORITY),
    (314, PROCESS),
    (90, MODE),
    (91, MODE),
    (268, MODE_AT),
    (452, MODE_AT),
    (248, Call::Keys),
    (249, Call::Keys),
    (250, Call::Keys),
    (29, SHARED),
    (30, SHARED),
    (31, SHARED),
    (64, SHARED),
    (65, SHARED),
    (66, SHARED),
    (68, SHARED),
    (69, SHARED),
    (70, SHARED),
    (71, SHARED),
    (220, SHARED),
    (240, SHARED),
];

#[cfg(target_arch = "x86_64")]
const X86: &[(u32, Call)] = &[
    (340, PROCESS),
    (97, PRIORITY),
    (154, PROCESS),
    (156, PROCESS),
    (241, PROCESS),
    (289, IO_PRIORITY),
    (351, PROCESS),
    (15, MODE),
    (94, MODE),
    (306, MODE_AT),
    (452, MODE_AT),
    (286, Call::Keys),
    (287, Call::Keys),
    (288, Call::Keys),
    (117, SHARED),
    (277, SHARED),
    (393, SHARED),
    (394, SHARED),
    (395, SHARED),
    (396, SHARED),
    (397, SHARED),
    (399, SHARED),
    (400, SHARED),
    (401, SHARED),
    (402, SHARED),
    (420, SHARED),
];

#[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
const GENERIC: &[(u32, Call)] = &[
    (261, PROCESS),
    (140, PRIORITY),
    (118, PROCESS),
    (119, PROCESS),
    (122, PROCESS),
    (30, IO_PRIORITY),
    (274, PROCESS),
    (52, MODE),
    (53, MODE_AT),
    (452, MODE_AT),
    (217, Call::Keys),
    (218, Call::Keys),
    (219, Call::Keys),
    (180, SHARED),
    (186, SHARED),
    (187, SHARED),
    (188, SHARED),
    (189, SHARED),
    (190, SHARED),
    (191, SHARED),
    (192, SHARED),
    (193, SHARED),
    (194, SHARED),
    (195, SHARED),
    (196, SHARED),
];

#[cfg(target_arch = "aarch64")]
const ARM: &[(u32, Call)] = &[
    (369, PROCESS),
    (97, PRIORITY),
    (154, PROCESS),
    (156, PROCESS),
    (241, PROCESS),
    (314, IO_PRIORITY),
    (380, PROCESS),
    (15, MODE),
    (94, MODE),
    (333, MODE_AT),
    (452, MODE_AT),
    (309, Call::Keys),
    (310, Call::Keys),
    (311, Call::Keys),
    (274, SHARED),
    (298, SHARED),
    (299, SHARED),
    (300, SHARED),
    (301, SHARED),
    (302, SHARED),
    (303, SHARED),
    (304, SHARED),
    (305, SHARED),
    (306, SHARED),
    (307, SHARED),
    (308, SHARED),
    (312, SHARED),
    (420, SHARED),
];
