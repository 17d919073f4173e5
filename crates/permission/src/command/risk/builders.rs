//! Arguments by which a build or test program takes its instructions from another file, project or settings file, which can
//! run anything.

/// Long options without their dashes. Some of these programs accept abbreviations, so they match for all.
const LONG: [(&str, &[&str]); 10] = [
    ("make", &["file", "makefile", "directory", "include-dir"]),
    ("cargo", &["manifest-path", "lockfile-path"]),
    ("mvn", &["file", "settings", "global-settings", "toolchains", "global-toolchains", "define"]),
    (
        "gradle",
        &[
            "project-dir",
            "build-file",
            "settings-file",
            "gradle-user-home",
            "include-build",
            "project-cache-dir",
            "system-prop",
        ],
    ),
    ("npm", &["prefix", "userconfig", "globalconfig", "dir", "cwd"]),
    ("pnpm", &["prefix", "userconfig", "globalconfig", "dir", "cwd"]),
    ("yarn", &["cwd", "use-yarnrc", "modules-folder"]),
    ("bun", &["cwd"]),
    ("just", &["working-directory", "shell", "shell-arg", "global-justfile"]),
    ("go", &["exec", "toolexec", "vettool", "o", "C", "modfile", "overlay", "gccgoflags", "w"]),
];

/// Short options, which may be part of a group or precede their value directly.
const SHORT: [(&str, &[char]); 7] = [
    ("make", &['f', 'C', 'E', 'I']),
    ("cargo", &['Z', 'C']),
    ("mvn", &['f', 's', 't']),
    ("gradle", &['I', 'p', 'b', 'c', 'g']),
    ("npm", &['C']),
    ("pnpm", &['C']),
    ("just", &['f', 'd', 'g']),
];

/// Options that only look like a group with one of these letters.
const HARMLESS: [(&str, &[&str]); 1] = [("mvn", &["-fae", "-ff", "-fn", "-ntp", "-nsu"])];

/// Properties that name a program to run. The others only set what a build asks for.
const PROPERTIES: [(&str, &[&str]); 2] =
    [("mvn", &["-Dmaven.ext.", "-Djvm=", "-Dexec."]), ("gradle", &["-Dorg.gradle."])];

/// The scripts of a project that fetch a program and start it have the options of this program.
fn started(program: &str) -> &str {
    match program {
        "gmake" => "make",
        "mvnw" => "mvn",
        "gradlew" => "gradle",
        other => other,
    }
}

/// Returns true if a program is among these.
pub(super) fn knows(program: &str) -> bool {
    !of(&LONG, started(program)).is_empty()
}

/// Returns true if a word is such an argument of this program.
pub(super) fn is_risky(program: &str, word: &str) -> bool {
    let program = started(program);
    match program {
        // The linker of Go's own linker is a program.
        "go" if word.contains("-extld") => return true,
        "cargo" if ["--target-dir", "--artifact-dir"].iter().any(|option| word.starts_with(option)) => {
            return true;
        }
        _ => {}
    }
    let Some(name) = word.strip_prefix('-') else { return false };
    if let Some(long) = name.strip_prefix('-') {
        return is_long(program, long);
    }
    let properties = of(&PROPERTIES, program);
    if !properties.is_empty() && name.starts_with(['D', 'P']) {
        return word == "-D" || properties.iter().any(|property| word.starts_with(property));
    }
    match program {
        // One dash is as good as two, and there are no groups.
        "go" => is_long(program, name),
        _ => !of(&HARMLESS, program).contains(&word) && name.contains(of(&SHORT, program)),
    }
}

fn is_long(program: &str, word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let starts = |option: &&str| if program == "go" { *option == name } else { option.starts_with(name) };
    !name.is_empty() && of(&LONG, program).iter().any(starts)
}

fn of<T>(table: &'static [(&str, &'static [T])], program: &str) -> &'static [T] {
    table.iter().find(|(own, _)| *own == program).map_or(&[], |(_, rows)| rows)
}
