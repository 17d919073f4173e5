//! How large a statement grows while SQLite compiles it.
//!
//! Two things multiply. Each use of a CTE compiles its text again; and when SQLite merges a nested SELECT into the
//! one around it, each use of a column is replaced by the whole expression behind it. `SELECT x+x AS x FROM (…)`
//! twenty times around itself is a million terms. No limit of SQLite counts these and nothing interrupts them,
//! so they are counted here, from above, before SQLite sees the statement.
//!
//! The weight of a SELECT is its own words, plus the weights of the SELECTs and CTEs that it reads times the number
//! of times that it names one column.

mod scope;

use std::collections::BTreeMap;

use throughline_history::QueryError;

use self::scope::{Kind, Scope};
use crate::token::{Token, tokens};

/// Terms that are compiled within a tenth of a second.
const MAX_WEIGHT: u64 = 100_000;

/// Readings until the weights of all CTEs are known. One reads another that stands behind it in one reading more.
const READINGS: usize = 8;

/// Refuses what SQLite cannot compile in a short time, and what it would read only in part.
pub(crate) fn check(sql: &str) -> Result<(), QueryError> {
    if sql.contains('\0') {
        return Err(QueryError::Sql("there is a NUL character in it".to_owned()));
    }
    let tokens = tokens(sql);
    let mut ctes = BTreeMap::new();
    for _ in 0..READINGS {
        let before = ctes.clone();
        if weight(&tokens, &mut ctes) > MAX_WEIGHT {
            break;
        }
        if ctes == before {
            return Ok(());
        }
    }
    Err(QueryError::TooLarge(
        "its subqueries use each other's columns too often; nest less, or name each column once a level"
            .to_owned(),
    ))
}

/// The weight of a statement. The weights of the CTEs in it are taken from `ctes`, and noted there.
fn weight(tokens: &[Token], ctes: &mut BTreeMap<String, u64>) -> u64 {
    let mut stack = vec![Scope::new(Kind::Expression, false)];
    let mut heaviest = 0;
    for (index, token) in tokens.iter().enumerate() {
        let at = Place { tokens, index };
        match token {
            Token::Open => {
                let reading = stack.last().is_some_and(|around| around.reading) && at.is_read();
                stack.push(Scope::new(at.opens(reading), reading));
            }
            Token::Close => {
                if stack.len() > 1
                    && let Some(closed) = stack.pop()
                {
                    heaviest = heaviest.max(closed.close(&mut stack, ctes));
                }
            }
            Token::Mark('*') if at.is_star() => nearest(&mut stack, |scope| scope.stars += 1),
            Token::Name(name) if !at.is_table_or_function() => {
                let uses = if at.defines_cte() { None } else { used(&stack, name, ctes) };
                nearest(&mut stack, |scope| scope.name(name, at.before(), uses));
            }
            Token::Text(name) => {
                let uses = used(&stack, name, ctes);
                nearest(&mut stack, |scope| {
                    scope.children = scope.children.saturating_add(uses.unwrap_or(0));
                });
            }
            _ => {}
        }
        nearest(&mut stack, |scope| scope.words += 1);
    }
    while let Some(open) = stack.pop() {
        heaviest = heaviest.max(open.close(&mut stack, ctes));
    }
    heaviest
}

/// The weight of the CTE of this name, unless this is its own text.
fn used(stack: &[Scope], name: &str, ctes: &BTreeMap<String, u64>) -> Option<u64> {
    let own = stack.iter().any(|scope| matches!(&scope.kind, Kind::Cte(cte) if cte == name));
    ctes.get(name).copied().filter(|_| !own)
}

/// Changes the innermost SELECT.
fn nearest(stack: &mut [Scope], change: impl FnOnce(&mut Scope)) {
    if let Some(scope) = stack.iter_mut().rev().find(|scope| scope.kind != Kind::Brackets) {
        change(scope);
    }
}

/// A place among the words.
#[derive(Clone, Copy)]
struct Place<'a> {
    tokens: &'a [Token],
    index: usize,
}

impl Place<'_> {
    fn get(&self, offset: isize) -> Option<&Token> {
        self.tokens.get(self.index.checked_add_signed(offset)?)
    }

    fn is_name(&self, offset: isize, names: &[&str]) -> bool {
        matches!(self.get(offset), Some(Token::Name(name)) if names.contains(&name.as_str()))
    }

    /// The word before, when it is one.
    fn before(&self) -> &str {
        match self.get(-1) {
            Some(Token::Name(name)) => name,
            _ => "",
        }
    }

    /// Returns true if a bracket is where FROM names what it reads, when it is within FROM.
    fn is_read(&self) -> bool {
        self.is_name(-1, &["from", "join"]) || matches!(self.get(-1), Some(Token::Open | Token::Mark(',')))
    }

    /// What a bracket opens.
    fn opens(&self, reading: bool) -> Kind {
        if !self.is_name(1, &["select", "with", "values"]) {
            return Kind::Brackets;
        }
        if let Some(name) = self.cte_name() {
            return Kind::Cte(name);
        }
        if reading { Kind::Source } else { Kind::Expression }
    }

    /// The name before `AS (`, `AS MATERIALIZED (` or `(columns) AS (`.
    fn cte_name(&self) -> Option<String> {
        let mut back = -1;
        while self.is_name(back, &["materialized", "not"]) {
            back -= 1;
        }
        if !self.is_name(back, &["as"]) {
            return None;
        }
        back -= 1;
        if self.get(back) == Some(&Token::Close) {
            while !matches!(self.get(back), None | Some(Token::Open)) {
                back -= 1;
            }
            back -= 1;
        }
        match self.get(back) {
            Some(Token::Name(name) | Token::Text(name)) => Some(name.clone()),
            _ => None,
        }
    }

    /// Returns true if this word names a CTE that is written out behind it.
    fn defines_cte(&self) -> bool {
        self.is_name(1, &["as"])
            && (self.get(2) == Some(&Token::Open) || self.is_name(2, &["materialized", "not"]))
    }

    /// `alias.` and `function(` are no columns.
    fn is_table_or_function(&self) -> bool {
        matches!(self.get(1), Some(Token::Mark('.') | Token::Open))
            && !self.is_name(0, &["from", "in", "select"])
    }

    /// Returns true if a star means all columns.
    fn is_star(&self) -> bool {
        self.is_name(-1, &["select", "distinct", "all"])
            || matches!(self.get(-1), Some(Token::Mark(',' | '.')))
    }
}

#[cfg(test)]
mod tests;
