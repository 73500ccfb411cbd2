/** Whether functions of files run in processes of their own, unless their target says otherwise. With a debugger they do not: it sees one process. */
export function usesHosts(): boolean {
  const options = [...process.execArgv, process.env['NODE_OPTIONS']];
  return process.env['ASSAY_ISOLATE'] !== 'false' && !options.some((option) => option?.includes('--inspect'));
}
