import { serveDecision } from "@/lib/interfaces/oauth";

type Props = { params: Promise<Record<string, string>> };

export const POST = async (request: Request, { params }: Props): Promise<Response> =>
  serveDecision(request, (await params)["uid"] ?? "");
