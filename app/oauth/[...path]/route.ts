import { serveOauth } from "@/lib/interfaces/oauth";

export const GET = serveOauth;
export const POST = serveOauth;
