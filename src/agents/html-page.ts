/** An HTML page by its title, where JSON or text was expected. Undefined for anything else. */
export function describePage(text: string, contentType = ''): string | undefined {
  const isPage =
    /^(?:text\/html|application\/xhtml\+xml)$/.test(contentType) ||
    /^\s*<(?:!doctype\s+html|html)\b/i.test(text);
  if (!isPage) return undefined;
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]?.trim() ?? '';
  const words =
    title ||
    text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return `an HTML page${words === '' ? '' : ` ("${words.slice(0, 100)}")`}`;
}
