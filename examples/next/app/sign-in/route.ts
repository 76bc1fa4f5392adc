import { signIn } from "../actions";

/** For forms that are sent without script, and for clients of your own. */
export async function POST(request: Request): Promise<Response> {
  return new Response(await signIn(await request.formData()));
}
