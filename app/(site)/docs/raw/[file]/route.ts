import { permanentRedirect } from "next/navigation";

type Props = { params: Promise<{ file: string }> };

/** Former address of a page's Markdown, before every page had it at its own address with `.md`. */
export async function GET(_request: Request, { params }: Props): Promise<never> {
  permanentRedirect(`/docs/${encodeURIComponent((await params).file)}`);
}
