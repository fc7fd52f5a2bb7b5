import { styleText } from "node:util";
import type { OutputStream, Streams } from "./streams.js";

/** How text may look. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** Gives text a look, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/**
 * Colours for one stream: only in a terminal that shows them, and never when `NO_COLOR` is set to anything but the empty text.
 * Not left to Node alone, which lets `FORCE_COLOR` outdo both. Source of the rule: the NO_COLOR convention.
 */
export function painter(stream: OutputStream, env: Streams["env"]): Paint {
  const colored =
    stream.isTTY === true && (env.NO_COLOR ?? "") === "" && (stream.getColorDepth?.(env) ?? 1) > 1;
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}
