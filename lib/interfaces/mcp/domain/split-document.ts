import { estimateTokens, MAX_ANSWER_TOKENS } from "./answer-size";

/** Tokens reserved for the line that refers to the next part. */
const ROOM = 100;

/**
 * Splits Markdown into sections, each starting with a heading except possibly the first. Lines in fenced code may look
 * like headings.
 */
function sectionsOf(markdown: string): string[] {
  const sections: string[] = [""];
  let isCode = false;
  for (const line of markdown.split(/(?<=\n)/)) {
    if (line.startsWith("```")) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) sections.push("");
    sections.push((sections.pop() ?? "") + line);
  }
  return sections.filter((section) => section !== "");
}

/** Splits a section that is too large by itself, at line ends. */
function piecesOf(section: string): string[] {
  if (estimateTokens(section) <= MAX_ANSWER_TOKENS - ROOM) return [section];
  const lines = section.split(/(?<=\n)/);
  const middle = Math.ceil(lines.length / 2);
  if (lines.length === 1) return [section];
  return [lines.slice(0, middle), lines.slice(middle)].flatMap((half) => piecesOf(half.join("")));
}

/** Splits a document into parts that each fit into an answer, before headings if possible. */
export function splitDocument(markdown: string): string[] {
  const parts: string[] = [];
  let [part, size] = ["", 0];
  for (const piece of sectionsOf(markdown).flatMap(piecesOf)) {
    const tokens = estimateTokens(piece);
    if (part !== "" && size + tokens > MAX_ANSWER_TOKENS - ROOM) {
      parts.push(part);
      [part, size] = ["", 0];
    }
    part += piece;
    size += tokens;
  }
  return [...parts, part];
}
