import { signIn } from "../actions";

/** For forms submitted without JavaScript, and for your own clients. */
export async function POST(request: Request): Promise<Response> {
  return new Response(await signIn(await request.formData()));
}
