import { estimateTokens, MAX_ANSWER_TOKENS } from "./answer-size";

/** Left for the line that says where a part goes on. */
const ROOM = 100;

/** Sections of Markdown: each begins with a heading, but for the first. Fenced code may hold lines that look like one. */
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

/** Pieces of a text that is too large by itself, at the ends of its lines. */
function piecesOf(section: string): string[] {
  if (estimateTokens(section) <= MAX_ANSWER_TOKENS - ROOM) return [section];
  const lines = section.split(/(?<=\n)/);
  const middle = Math.ceil(lines.length / 2);
  if (lines.length === 1) return [section];
  return [lines.slice(0, middle), lines.slice(middle)].flatMap((half) => piecesOf(half.join("")));
}

/** A document in parts that each fit into an answer, cut before headings where that is possible. */
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
