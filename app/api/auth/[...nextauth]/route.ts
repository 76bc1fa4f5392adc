import { answerGet, answerPost } from "@/app/_server/auth-handlers";

export const GET = answerGet;
export const POST = answerPost;
