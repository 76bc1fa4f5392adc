import { serveOauth } from "@/lib/oauth";

export const GET = serveOauth;
export const POST = serveOauth;
