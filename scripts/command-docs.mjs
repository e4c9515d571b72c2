/** docs/commands.md, made from the definitions of the commands. */

/** Commands and their subcommands in the order of the help. */
async function withSubcommands(commands) {
  const found = [];
  for (const command of commands) {
    found.push(command);
    for (const load of Object.values(command.subcommands ?? {})) found.push(await load());
  }
  return found;
}

/** `common`: the options of every command. */
export async function documentCommands(commands, common) {
  const all = await withSubcommands(commands);
  return [
    "# Commands",
    "",
    "Made by `npm run docs` from the definitions in `src/cli/`. From a clone, write `npm start --` instead of `hmge`; from a program that has the package, `npx hmge`.",
    "",
    ...commands.map(({ name, summary }) => `- [\`hmge ${name}\`](#${anchor(name)}): ${summary}`),
    "",
    "Every command has these options:",
    "",
    ...optionList(common),
    "",
    "Exit codes: 0 success; 2 a mistake in the input (one line says where, what was found and what to do); 1 a fault of the program; 130 stopped by Ctrl-C before there was a result. Stopped later, a command keeps its results so far and says so.",
    "",
    ...all.flatMap(chapter),
  ].join("\n");
}

function chapter({ name, usage, summary, options, examples }) {
  return [
    `## hmge ${name}`,
    "",
    `${summary[0].toUpperCase()}${summary.slice(1)}.`,
    "",
    "```",
    `hmge ${name} ${usage}`,
    "```",
    "",
    ...(options.length === 0 ? [] : [...optionList(options), ""]),
    "```",
    ...examples.map((example) => `hmge ${name} ${example}`.trimEnd()),
    "```",
    "",
  ];
}

function optionList(options) {
  return options.map(({ name, value, doc, default: fallback, repeatable }) => {
    const extra = [repeatable === true ? "may be repeated" : "", fallback === undefined ? "" : `default: ${fallback}`];
    const head = `--${name}${value === undefined ? "" : ` ${value}`}`;
    return `- \`${head}\`: ${[doc, ...extra.filter((word) => word !== "")].join("; ")}`;
  });
}

/** The anchor that a heading "hmge NAME" gets. */
function anchor(name) {
  return `hmge-${name.replaceAll(" ", "-")}`;
}
