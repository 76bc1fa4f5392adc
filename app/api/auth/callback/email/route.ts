import { openByLink, showLink } from "../../login-link";

export const GET = showLink;
export const POST = openByLink;
