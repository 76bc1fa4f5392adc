import fs from "node:fs";
import path from "node:path";

export type Picture = { name: string; path: string; file: string; theme: string; width: number };

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const STYLE = `
  body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; background: #f4f5f7; color: #1a1d23 }
  nav { display: flex; flex-wrap: wrap; gap: 4px 12px; margin-bottom: 24px }
  h2 { margin: 32px 0 8px } h2 small { font-weight: 400; color: #5b6270 }
  .row { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 16px }
  img { display: block; max-width: 100%; border: 1px solid #c6cad2 }
  figure { margin: 0; max-width: 100% } figcaption { color: #5b6270 }`;

const figure = ({ file, theme, width }: Picture) =>
  `<figure><a href="${file}"><img loading="lazy" src="${file}" style="width:${Math.round(width / 2)}px" alt="${theme}, ${width} px"></a><figcaption>${theme}, ${width} px</figcaption></figure>`;

/** Writes a page with all pictures. */
export function writeGallery(folder: string, pictures: readonly Picture[]): void {
  const names = [...new Set(pictures.map(({ name }) => name))];
  const sections = names.map((name) => {
    const own = pictures.filter((picture) => picture.name === name);
    return `<h2 id="${name}">${name} <small>${escape(own[0]?.path ?? "")}</small></h2><div class="row">${own.map(figure).join("")}</div>`;
  });
  const links = names.map((name) => `<a href="#${name}">${name}</a>`).join("");
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Every page</title><style>${STYLE}</style><h1>Every page</h1><nav>${links}</nav>${sections.join("\n")}</html>\n`;
  fs.writeFileSync(path.join(folder, "index.html"), html);
}
