/** A fenced block of a document; `title` if it is one of several tabs. */
export type Fence = { language: string; title: string | undefined; code: string };

export type Piece = { kind: "text"; markdown: string } | { kind: "code"; fences: Fence[] };

const OPENING = /^```([\w-]*)(?: title="([^"]*)")?$/;
const CLOSING = "```";

/** Reads the block that starts at line `start`. */
function readFence(lines: readonly string[], start: number): { fence: Fence; next: number } {
  const [, language = "", title] = OPENING.exec(lines[start] ?? "") ?? [];
  const end = lines.indexOf(CLOSING, start + 1);
  if (end < 0) throw new Error(`The block of line ${start + 1} is never closed`);
  return { fence: { language, title, code: lines.slice(start + 1, end).join("\n") }, next: end + 1 };
}

/**
 * Splits Markdown into text and code blocks; adjacent blocks with titles form one piece. Blocks must be at the left
 * margin: one inside a list would split the list.
 */
export function splitAtFences(markdown: string): Piece[] {
  const lines = markdown.split("\n");
  const pieces: Piece[] = [];
  let text: string[] = [];
  const endText = () => {
    if (text.some((line) => line.trim() !== "")) pieces.push({ kind: "text", markdown: text.join("\n") });
    text = [];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    if (/^\s+(```|~~~)|^~~~/.test(line)) throw new Error(`Line ${at + 1}: code blocks must start at the left margin`);
    if (!line.startsWith("```")) {
      text.push(line);
      at += 1;
      continue;
    }
    const { fence, next } = readFence(lines, at);
    endText();
    const last = pieces.at(-1);
    const isNext = last?.kind === "code" && fence.title !== undefined && last.fences.every(({ title }) => title);
    if (isNext) last.fences.push(fence);
    else pieces.push({ kind: "code", fences: [fence] });
    at = next;
  }
  endText();
  return pieces;
}
