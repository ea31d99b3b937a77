//! Parses a page of Markdown into what a reader sees: sentences, words, links, headings, commands.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Marks the begin of inline code, which may begin a sentence with a small letter.
const CODE: char = '\u{e000}';

/// Marks its end.
const CODE_END: char = '\u{e001}';

/// Names after which a number is part of the name, not a measurement.
const NAMED: [&str; 24] = [
    "ADR",
    "Fig.",
    "Figs.",
    "Eq.",
    "Alg.",
    "Algorithm",
    "section",
    "Section",
    "rule",
    "rules",
    "Java",
    "JDK",
    "Python",
    "Rust",
    "Scala",
    "Spark",
    "glibc",
    "line",
    "lines",
    "invariant",
    "invariants",
    "step",
    "Debian",
    "seed",
];

/// Holds what one page says.
#[derive(Default)]
pub struct Page {
    /// Paragraphs and items of lists, as read; inline code is marked.
    pub blocks: Vec<String>,
    /// Targets of links and images.
    pub links: Vec<String>,
    /// Anchors that links may name, as GitHub makes them.
    pub anchors: Vec<String>,
    /// Text in fenced or indented blocks and in inline code, where commands stand.
    pub code: Vec<String>,
}

/// Parses a page.
pub fn parse(text: &str) -> Page {
    let mut page = Page::default();
    let mut at = Place::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        at.read(event, &mut page);
    }
    at.end_block(&mut page);
    page
}

/// Says where in the page the parser is.
#[derive(Default)]
struct Place {
    block: String,
    heading: Option<(HeadingLevel, String)>,
    tables: u32,
    code: Option<String>,
}

impl Place {
    fn read(&mut self, event: Event, page: &mut Page) {
        match event {
            Event::Start(Tag::Table(_)) => self.tables += 1,
            Event::End(TagEnd::Table) => self.tables -= 1,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                self.code = Some(String::new());
            }
            Event::End(TagEnd::CodeBlock) => page.code.extend(self.code.take()),
            Event::Start(Tag::Heading { level, .. }) => self.heading = Some((level, String::new())),
            Event::End(TagEnd::Heading(_)) => self.end_heading(page),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.to_string());
            }
            Event::Start(Tag::Item | Tag::Paragraph | Tag::List(_))
            | Event::End(TagEnd::Item | TagEnd::Paragraph | TagEnd::List(_)) => {
                self.end_block(page);
            }
            Event::Text(text) => self.say(&text),
            Event::Code(text) => {
                page.code.push(text.to_string());
                let marked = format!("{CODE}{text}{CODE_END}");
                self.say(if self.heading.is_some() { &text } else { &marked });
            }
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
        } else if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
        } else if self.tables == 0 {
            self.block.push_str(text);
        }
    }

    fn end_block(&mut self, page: &mut Page) {
        let block = std::mem::take(&mut self.block);
        if !block.trim().is_empty() {
            page.blocks.push(block);
        }
    }

    fn end_heading(&mut self, page: &mut Page) {
        let Some((_, text)) = self.heading.take() else { return };
        let anchor = anchor(&text);
        let same = page.anchors.iter().filter(|known| **known == anchor).count();
        page.anchors.push(if same == 0 { anchor } else { format!("{anchor}-{same}") });
    }
}

/// Returns the anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// Returns whether a token counts as a word.
fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

/// Returns how many words a text has.
pub fn words(text: &str) -> usize {
    text.split_whitespace().filter(|token| is_word(token)).count()
}

/// Divides a block into sentences: after `.`, `!` or `?`, where what follows may begin a sentence.
pub fn sentences(block: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let tokens: Vec<_> = block.split_whitespace().collect();
    for (place, token) in tokens.iter().enumerate() {
        let sentence = found.last_mut().expect("at least one");
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(token);
        let ends = token.trim_end_matches(['"', ')', '\u{201d}']).ends_with(['.', '!', '?']);
        let next = tokens
            .get(place + 1)
            .and_then(|next| next.chars().find(|c| !matches!(c, '"' | '(' | '[')));
        if ends && !NAMED.contains(token) && next.is_some_and(|c| c.is_uppercase() || c == CODE) {
            found.push(String::new());
        }
    }
    found.retain(|sentence| words(sentence) > 0);
    found.iter_mut().for_each(|sentence| sentence.retain(|c| !matches!(c, CODE | CODE_END)));
    found
}

/// Returns the numbers that a block states: neither in code nor parts of a name.
pub fn numbers(block: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut before, mut in_code) = ("", false);
    for token in block.split_whitespace() {
        in_code |= token.contains(CODE);
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let named = NAMED.contains(&before.trim_start_matches('('));
        if bare.starts_with(|c: char| c.is_ascii_digit()) && !named && !in_code {
            found.push(bare.to_owned());
        }
        in_code &= !token.contains(CODE_END);
        before = token;
    }
    found
}

/// Returns the nearest-rank quantile of sorted lengths.
pub fn quantile(sorted: &[usize], share: usize) -> usize {
    let rank = (sorted.len() * share).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}
