import { serveMcp } from "@/lib/interfaces/mcp";

export const POST = serveMcp;
