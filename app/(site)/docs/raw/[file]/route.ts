import { readDocument } from "@/lib/interfaces/documents";
import { SERVED_FILES } from "../../pages";

type Props = { params: Promise<{ file: string }> };

/** The Markdown source of a documentation page. */
export async function GET(_request: Request, { params }: Props): Promise<Response> {
  const { file } = await params;
  const text = SERVED_FILES.includes(file) ? await readDocument(file) : undefined;
  return text === undefined
    ? new Response("There is no such page.\n", {
        status: 404,
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      })
    : new Response(text, {
        headers: { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "public, max-age=60" },
      });
}
