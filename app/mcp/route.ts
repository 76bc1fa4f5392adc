import { serveMcp } from "@/lib/mcp";

export const POST = serveMcp;
