import { answerGet, answerPost } from "../handlers";

export const GET = answerGet;
export const POST = answerPost;
