import { openByLink, showLink } from "@/app/_server/login-link";

export const GET = showLink;
export const POST = openByLink;
