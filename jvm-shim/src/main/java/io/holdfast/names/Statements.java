package io.holdfast.names;

import io.holdfast.notice.Plain;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What two runs of one statement have in common: its text without what differs from run to run, as
 * a name for people and for the history.
 */
final class Statements {
  /** What comes behind it does not count: a statement can be of megabytes. */
  private static final int MOST_READ = 20_000;

  /** In code points: a row of a table should hold it. */
  private static final int MOST_SHOWN = 100;

  /** What comes before SQL inside of a plan of Spark Connect's, as text of its protocol. */
  private static final String QUERY = "query: ";

  /** What comes before a literal there, in quotes as all text is. */
  private static final String TEXT = "string: ";

  /** A relation's number, which is another one each time. */
  private static final Pattern ID =
      Pattern.compile("\\bcommon \\{\\s*plan_id: [0-9]+\\s*\\}|\\bplan_id: [0-9]+");

  private Statements() {}

  /** Returns the name of a SQL statement; null where nothing is left of it. */
  static String ofSql(String text) {
    return named(normal(text.substring(0, Math.min(text.length(), MOST_READ))));
  }

  /**
   * Returns the name of a statement of Spark Connect's, of its SQL where there is some; null where
   * nothing is left of it.
   *
   * @param text the plan, as the server's event has it
   */
  static String ofPlan(String text) {
    String read = text.substring(0, Math.min(text.length(), MOST_READ));
    StringBuilder queries = new StringBuilder();
    StringBuilder plan = new StringBuilder();
    int at = 0;
    // Not by a pattern: it would recurse for each character that is escaped.
    for (int quote; (quote = read.indexOf('"', at)) >= 0; ) {
      int end = quoted(read, quote);
      String inside = read.substring(quote + 1, Math.max(quote + 1, end - 1));
      plan.append(read, at, quote);
      if (read.startsWith(QUERY, quote - QUERY.length()))
        queries.append(queries.isEmpty() ? "" : "; ").append(unescaped(inside));
      else if (read.startsWith(TEXT, quote - TEXT.length())) plan.append('0');
      else plan.append('`').append(inside.replace('`', ' ')).append('`');
      at = end;
    }
    plan.append(read, at, read.length());
    if (!queries.isEmpty()) return named(normal(queries.toString()));
    return named(normal(ID.matcher(plan).replaceAll("").replaceAll("[{}]", " ")));
  }

  private static String named(String normal) {
    return normal.isEmpty() ? null : Plain.name(normal, MOST_SHOWN);
  }

  /** What text of a protocol buffer has for quotes and ends of lines. */
  private static String unescaped(String text) {
    return text.replace("\\n", "\n")
        .replace("\\r", "\n")
        .replace("\\t", " ")
        .replaceAll("\\\\(.)", "$1");
  }

  /**
   * Returns a SQL text in small letters, without comments, with one blank where there is any, and
   * with a question mark for each literal, or for a list of them.
   */
  static String normal(String sql) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      int end = at + 1;
      if (c == '\'' || c == '"') {
        end = quoted(sql, at);
        literal(out);
      } else if (c == '`') {
        end = quoted(sql, at);
        out.append(sql, at, end);
      } else if (sql.startsWith("--", at)) {
        end = until(sql, "\n", at);
        blank(out);
      } else if (sql.startsWith("/*", at)) {
        end = until(sql, "*/", at);
        blank(out);
      } else if (Character.isWhitespace(c)) {
        blank(out);
      } else if (isWord(c)) {
        while (end < sql.length() && (isWord(sql.charAt(end)) || isPoint(sql, at, end))) end++;
        if (isNumber(sql, at)) literal(out);
        else out.append(sql.substring(at, end).toLowerCase(Locale.ROOT));
      } else out.append(c);
      at = end;
    }
    return out.toString().strip();
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private static boolean isNumber(String sql, int at) {
    return Character.isDigit(sql.charAt(at));
  }

  /** Whether what is there belongs to the number that begins at {@code start}. */
  private static boolean isPoint(String sql, int start, int at) {
    if (!isNumber(sql, start)) return false;
    char c = sql.charAt(at);
    char before = sql.charAt(at - 1);
    return c == '.' || (c == '-' || c == '+') && (before == 'e' || before == 'E');
  }

  /** Where the quoted text that begins there ends: a quote in it is doubled, or escaped. */
  private static int quoted(String sql, int start) {
    char quote = sql.charAt(start);
    for (int at = start + 1; at < sql.length(); at++) {
      char c = sql.charAt(at);
      if (c == '\\' && quote != '`') at++;
      else if (c == quote) {
        if (at + 1 == sql.length() || sql.charAt(at + 1) != quote) return at + 1;
        at++;
      }
    }
    return sql.length();
  }

  private static int until(String sql, String end, int from) {
    int at = sql.indexOf(end, from + 2);
    return at < 0 ? sql.length() : at + end.length();
  }

  private static void blank(StringBuilder out) {
    if (!out.isEmpty() && out.charAt(out.length() - 1) != ' ') out.append(' ');
  }

  /** Of several in a row, separated by commas, one counts: lists differ in length. */
  private static void literal(StringBuilder out) {
    int end = out.length();
    while (end > 0 && out.charAt(end - 1) == ' ') end--;
    if (end > 0 && out.charAt(end - 1) == ',') {
      int before = end - 1;
      while (before > 0 && out.charAt(before - 1) == ' ') before--;
      if (before > 0 && out.charAt(before - 1) == '?') {
        out.setLength(before);
        return;
      }
    }
    out.append('?');
  }
}
