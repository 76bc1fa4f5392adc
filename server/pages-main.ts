import { run } from "./lifecycle";
import { startPages } from "./pages";

/** Entry point of the pages process. It has its own bundle, because the server's has to load three times as much. */
run(startPages);
