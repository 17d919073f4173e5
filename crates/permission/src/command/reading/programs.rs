//! Programs that read files, or print what they are given, and do nothing else with the options that are listed here.
//!
//! An option is missing here if it follows links, takes names of files from another one, reads or writes a file that it names, or
//! starts a program; and so is what a later version adds.

use crate::command::options::{KnownOptions, has_word};

/// Programs that only print their words.
pub(super) const PRINTING: [&str; 6] = ["echo", "printf", "true", "false", "basename", "dirname"];

/// Words of `find`, which have one dash.
const FIND: &[&str] = &[
    "name iname path ipath wholename iwholename regex iregex regextype type size empty newer newermt mtime mmin",
    "atime amin ctime cmin perm user group uid gid nouser nogroup readable writable executable links inum",
    "maxdepth mindepth depth daystart mount xdev prune quit print print0 printf ls true false not and or a o",
];

/// The harmless options of each program.
const PROGRAMS: &[(&str, KnownOptions)] = &[
    known(
        "ls",
        "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
        "ITw",
        &[
            "all almost-all author escape ignore-backups color directory classify file-type format full-time",
            "group-directories-first no-group human-readable si hide indicator-style inode ignore kibibytes",
            "numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive",
            "size sort time time-style tabsize width context zero block-size help version",
        ],
    ),
    known(
        "cat",
        "AbeEnstTuv",
        "",
        &["show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version"],
    ),
    known("head", "qvz", "nc", &["bytes lines quiet silent verbose zero-terminated help version"]),
    known("tail", "qvz", "nc", &["bytes lines quiet silent verbose zero-terminated help version"]),
    known("wc", "cmlLw", "", &["bytes chars lines max-line-length words total help version"]),
    known("grep", GREP, "ABCDdem", GREP_LONG),
    known("egrep", GREP, "ABCDdem", GREP_LONG),
    known("fgrep", GREP, "ABCDdem", GREP_LONG),
    known(
        "rg",
        "abcFhHiIlnNopPqsSuUvVwx0.",
        "ABCdegjmMrtTE",
        &[
            "after-context before-context context colors color column no-column count count-matches case-sensitive",
            "ignore-case smart-case crlf encoding files files-with-matches files-without-match fixed-strings glob iglob",
            "glob-case-insensitive heading no-heading hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent",
            "no-ignore-dot no-ignore-global include-zero invert-match json line-buffered line-number no-line-number",
            "line-regexp max-columns max-columns-preview max-count max-depth max-filesize multiline multiline-dotall",
            "no-messages no-config null null-data one-file-system only-matching passthru pcre2 pretty quiet regexp",
            "replace sort sortr stats text threads trim type type-not type-list unrestricted vimgrep with-filename",
            "no-filename word-regexp binary no-binary help version",
        ],
    ),
    known(
        "sort",
        "bcCdfghiMmnrRsuVz",
        "ktS",
        &[
            "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort",
            "human-numeric-sort numeric-sort random-sort reverse sort version-sort check debug key merge stable",
            "buffer-size field-separator parallel unique zero-terminated help version",
        ],
    ),
    known(
        "uniq",
        "cdDiuz",
        "fsw",
        &[
            "count repeated all-repeated group ignore-case skip-fields skip-chars check-chars unique zero-terminated help",
            "version",
        ],
    ),
    known(
        "cut",
        "nsz",
        "bcdf",
        &[
            "bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated help version",
        ],
    ),
    known("tr", "cCdst", "", &["complement delete squeeze-repeats truncate-set1 help version"]),
    known(
        "nl",
        "p",
        "bdfhilnsvw",
        &[
            "body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines",
            "number-format no-renumber number-separator starting-line-number number-width help version",
        ],
    ),
    known("tac", "br", "s", &["before regex separator help version"]),
    known("rev", "", "", &["help version"]),
    known(
        "comm",
        "z",
        "",
        &["check-order nocheck-order output-delimiter total zero-terminated help version"],
    ),
    known("column", "tx", "cos", &["table separator output-separator output-width columns help version"]),
    known("cmp", "bls", "in", &["print-bytes ignore-initial verbose bytes quiet silent help version"]),
    known("stat", "ft", "c", &["file-system format printf terse help version"]),
    known(
        "file",
        "bEhikNnr0v",
        "eFP",
        &[
            "brief mime mime-type mime-encoding exclude extension keep-going no-dereference no-buffer no-pad print0 raw",
            "separator parameter help version",
        ],
    ),
    known("which", "as", "", &["all"]),
    known("type", "afpPt", "", &[]),
    known("pwd", "LP", "", &["logical physical"]),
    known(
        "du",
        "abchklmsSx0",
        "dtB",
        &[
            "all apparent-size block-size bytes total max-depth human-readable inodes null si separate-dirs summarize",
            "threshold time time-style exclude one-file-system no-dereference help version",
        ],
    ),
    known(
        "readlink",
        "efmnqsvz",
        "",
        &[
            "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
        ],
    ),
    known(
        "tree",
        "aACdDfFghiJnNpqrsStuUvxX",
        "LPI",
        &[
            "noreport du si dirsfirst filesfirst prune matchdirs ignore-case gitignore filelimit sort charset timefmt",
            "inodes device version help",
        ],
    ),
    known(
        "diff",
        "abBcdeEinNpqrstTuvwyZ",
        "CDFILSUWx",
        &[
            "normal brief report-identical-files context unified ed rcs side-by-side width left-column",
            "suppress-common-lines show-c-function show-function-line label expand-tabs initial-tab tabsize recursive",
            "no-dereference new-file unidirectional-new-file ignore-file-name-case exclude starting-file ignore-case",
            "ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines",
            "ignore-matching-lines text strip-trailing-cr minimal horizon-lines speed-large-files color help version",
        ],
    ),
];

const GREP: &str = "abcEFGhHiIlLnoPqrsTUvVwxyzZ";
const GREP_LONG: &[&str] = &[
    "extended-regexp fixed-strings basic-regexp perl-regexp regexp ignore-case no-ignore-case word-regexp",
    "line-regexp null-data no-messages invert-match max-count byte-offset line-number line-buffered with-filename",
    "no-filename label only-matching quiet silent binary-files text directories devices recursive include exclude",
    "exclude-dir files-without-match files-with-matches count initial-tab null before-context after-context",
    "context group-separator no-group-separator color colour help version",
];

/// Commands of git that only read, and their harmless options. No option looks into submodules, whose settings name programs, or
/// shows signatures, for which another program runs.
const GIT: &[(&str, &[KnownOptions])] = &[
    ("status", &[STATUS]),
    ("diff", &[DIFF]),
    ("log", &[DIFF, LOG]),
    ("show", &[DIFF, LOG]),
    ("shortlog", &[SHORTLOG, LOG]),
    ("blame", &[BLAME]),
    ("ls-files", &[LS_FILES]),
    ("rev-parse", &[REV_PARSE]),
    ("describe", &[DESCRIBE]),
];

const STATUS: KnownOptions = options(
    "sbvz",
    "uM",
    &[
        "short branch show-stash porcelain long verbose untracked-files ignored ignore-submodules column no-column",
        "ahead-behind no-ahead-behind renames no-renames find-renames null",
    ],
);
const DIFF: KnownOptions = options(
    "abcDiEFgmPpqRrstuvwWz",
    "BCGIlLMnSUX",
    &[
        "patch no-patch unified raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram",
        "diff-algorithm anchored stat numstat shortstat compact-summary dirstat cumulative summary patch-with-stat",
        "name-only name-status no-renames find-renames find-copies find-copies-harder rename-empty no-rename-empty",
        "color no-color color-words word-diff word-diff-regex color-moved no-color-moved no-prefix default-prefix",
        "src-prefix dst-prefix line-prefix full-index binary abbrev break-rewrites diff-filter pickaxe-all",
        "pickaxe-regex relative no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change",
        "ignore-all-space ignore-blank-lines ignore-matching-lines inter-hunk-context function-context exit-code",
        "quiet no-ext-diff no-textconv ignore-submodules cached staged merge-base check ws-error-highlight cc base",
        "ours theirs",
    ],
);
const LOG: KnownOptions = options(
    "",
    "",
    &[
        "oneline graph no-graph decorate no-decorate decorate-refs decorate-refs-exclude all branches tags remotes",
        "author committer grep all-match invert-grep extended-regexp fixed-strings perl-regexp basic-regexp",
        "regexp-ignore-case max-count skip since after until before merges no-merges min-parents max-parents",
        "first-parent reverse date-order author-date-order topo-order date relative-date format pretty abbrev-commit",
        "no-abbrev-commit follow full-history full-diff ancestry-path boundary left-right cherry-pick cherry",
        "cherry-mark left-only right-only simplify-by-decoration simplify-merges dense sparse show-pulls walk-reflogs",
        "parents children notes no-notes no-walk not source mailmap use-mailmap no-mailmap encoding expand-tabs",
        "no-expand-tabs log-size",
    ],
);
const SHORTLOG: KnownOptions = options("cens", "w", &["numbered summary email committer group"]);
const BLAME: KnownOptions = options(
    "bcefklnpstw",
    "LMC",
    &[
        "root show-stats reverse first-parent porcelain line-porcelain incremental date show-name show-number",
        "show-email since abbrev color-lines color-by-age score-debug",
    ],
);
const LS_FILES: KnownOptions = options(
    "cdikmostuvz",
    "x",
    &[
        "cached deleted modified others ignored stage directory no-empty-directory unmerged killed exclude",
        "exclude-standard error-unmatch full-name abbrev eol deduplicate format resolve-undo",
    ],
);
const REV_PARSE: KnownOptions = options(
    "q",
    "",
    &[
        "abbrev-ref short verify quiet show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir",
        "path-format is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository symbolic",
        "symbolic-full-name all branches tags remotes show-superproject-working-tree show-object-format revs-only",
        "no-revs flags no-flags since until default",
    ],
);
const DESCRIBE: KnownOptions = options(
    "",
    "",
    &["all tags contains abbrev candidates exact-match debug long match exclude always first-parent dirty"],
);

const fn options(flags: &'static str, valued: &'static str, long: &'static [&'static str]) -> KnownOptions {
    KnownOptions { flags, valued, long }
}

const fn known(
    program: &'static str,
    flags: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
) -> (&'static str, KnownOptions) {
    (program, options(flags, valued, long))
}

/// The harmless options of a program that only reads. `find` has none of these forms.
pub(super) fn options_of(program: &str) -> Option<KnownOptions> {
    PROGRAMS.iter().find(|(own, _)| *own == program).map(|(_, options)| *options)
}

/// The harmless options of a command of git that only reads.
pub(super) fn options_of_git(command: &str) -> Option<&'static [KnownOptions]> {
    GIT.iter().find(|(own, _)| *own == command).map(|(_, options)| *options)
}

/// Returns true if a word of `find` that begins with a dash is known to be harmless: one of its tests, or a number with its unit.
pub(super) fn is_word_of_find(word: &str) -> bool {
    let name = word.strip_prefix('-').unwrap_or_default();
    let number = name.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number || has_word(FIND, name)
}
