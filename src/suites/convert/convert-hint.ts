/** What to do with a file of another tool: a command that can be pasted into a shell. */
export function convertHint(file: string, options = ''): string {
  return `convert it: assay convert ${shellPath(file)}${options} --to eval -o ${shellPath(resultName(file))}`;
}

/** `booking.evalset.json` becomes `booking.eval.yaml`. Never the file itself. */
function resultName(file: string): string {
  const stem = file.replace(/(?:\.(?:evalset|tests?|evals?|goldens?))?\.\w+$/i, '');
  const name = `${stem}.eval.yaml`;
  return name === file ? `${stem}.converted.eval.yaml` : name;
}

function shellPath(file: string): string {
  const path = file.startsWith('-') ? `./${file}` : file;
  return shellText(path);
}

export function shellText(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
