//! The few shapes that plots are made of, as SVG text. Looks are attributes, so that a file and a page that contains it
//! look the same.

/// Text that is safe between tags and in attributes.
pub fn escape(text: &str) -> String {
    holdfast_words::html(text)
}

/// Returns a drawing of this size. Screen readers read `label` out.
pub fn image(width: f64, height: f64, label: &str, parts: &[String]) -> String {
    let label = escape(label);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{label}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"12\" fill=\"#111111\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}\n</svg>\n",
        parts.join("\n")
    )
}

/// Where a text stands from its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// Returns a text that is anchored at a place.
pub fn text((x, y): (f64, f64), anchor: Anchor, content: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escape(content))
}

/// Returns a heading.
pub fn heading((x, y): (f64, f64), content: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"13\" font-weight=\"600\">{}</text>",
        escape(content)
    )
}

/// Read from below to above, centred.
pub fn upright((x, y): (f64, f64), content: &str) -> String {
    format!(
        "<text transform=\"translate({x:.1},{y:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(content)
    )
}

/// Returns a thin line.
pub fn rule(from: (f64, f64), to: (f64, f64), colour: &str) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    )
}

/// Returns an open line through points; `dash` may be empty.
pub fn path(points: &[(f64, f64)], colour: &str, width: f64, dash: &str) -> String {
    let dash =
        if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" \
         stroke-linejoin=\"round\"{dash}/>",
        joined(points)
    )
}

/// Returns a closed shape; the less opaque, the more is seen through it.
pub fn area(points: &[(f64, f64)], colour: &str, opacity: f64, title: &str) -> String {
    let title =
        if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
    format!(
        "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"{opacity:.2}\">{title}</polygon>",
        joined(points)
    )
}

/// Returns a disc with a title.
pub fn disc((x, y): (f64, f64), radius: f64, colour: &str, title: &str) -> String {
    let title =
        if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\">{title}</circle>"
    )
}

/// Returns a bar from its upper left corner, with a dark outline: pale ones are seen in print, too.
pub fn bar((x, y): (f64, f64), (width, height): (f64, f64), colour: &str, title: &str) -> String {
    let title =
        if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\" \
         stroke=\"#111111\" stroke-width=\"0.8\">{title}</rect>"
    )
}

fn joined(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}
