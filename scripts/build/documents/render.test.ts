import { beforeAll, expect, test } from "vitest";

import { PLACEHOLDERS, readDocumentSource, type Rendered, SAMPLES } from "@/lib/interfaces/documents";
import releases from "@/releases/component/releases.json";
import serverReleases from "@/releases/server/releases.json";
import { renderDocuments } from "./render";

let rendered: Rendered;

beforeAll(async () => {
  rendered = await renderDocuments();
});

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

const codes = () => [
  ...Object.values(rendered.documents).flatMap((parts) =>
    parts.flatMap((part) => (part.kind === "code" ? part.codes : [])),
  ),
  ...Object.values(rendered.samples),
  ...rendered.mcpClients,
];

const count = (text: string, part: string) => text.split(part).length - 1;

test("highlighting keeps every line and leaves placeholders intact", () => {
  expect(codes().length).toBeGreaterThan(50);
  for (const { code, html } of codes()) {
    expect(textOf(html)).toBe(code);
    for (const placeholder of ["{{base_url}}", ...Object.values(PLACEHOLDERS)])
      expect(count(html, placeholder), `${placeholder} in ${code}`).toBe(count(code, placeholder));
  }
});

test("all HTML of a document comes from its Markdown, and every heading has a unique id", () => {
  for (const [file, parts] of Object.entries(rendered.documents)) {
    const html = parts.map((part) => (part.kind === "html" ? part.html : "")).join("");
    expect(html, file).not.toMatch(/<(script|iframe|img|style)\b/);
    const ids = [...html.matchAll(/<h[1-6] id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length, file).toBeGreaterThan(0);
    expect(new Set(ids).size, file).toBe(ids.length);
  }
});

test("every sample is shown exactly as in its file, and all referenced samples exist", async () => {
  const shown = new Map(
    Object.values(rendered.documents).flatMap((parts) =>
      parts.flatMap((part) =>
        part.kind === "code" ? part.codes.map(({ title, code }) => [title, code] as const) : [],
      ),
    ),
  );
  for (const [file, { name }] of Object.entries(SAMPLES))
    expect(shown.get(name)).toBe(rendered.samples[file as keyof typeof SAMPLES].code);
  expect(await readDocumentSource("quickstart.md")).not.toContain("../examples/");
});

test("documents and samples name the newest released server package", async () => {
  const documents = await Promise.all(["quickstart.md", "accepting.md"].map(readDocumentSource));
  const named = documents.flatMap((text) => text.match(/(?<=\/v1\/imprint[-_]server-)\d+\.\d+\.\d+/g) ?? []);
  expect(new Set(named)).toEqual(new Set([serverReleases.at(-1)?.version]));
});

test("documents and samples name the newest released component", async () => {
  const texts = [await readDocumentSource("component.md"), ...Object.values(rendered.samples).map(({ code }) => code)];
  const named = texts.flatMap((text) => text.match(/(?<=\/v1\/imprint-)\d+\.\d+\.\d+/g) ?? []);
  expect(new Set(named)).toEqual(new Set([releases.at(-1)?.version]));
});
