import { serveMetadataPreflight, serveResourceMetadata } from "@/lib/interfaces/oauth";

export const GET = () => serveResourceMetadata();
export const OPTIONS = () => Promise.resolve(serveMetadataPreflight());
