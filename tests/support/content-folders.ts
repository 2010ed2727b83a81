import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { tempFolder } from './temp-folder.ts';

/** Writes files into a new folder; names may contain folders. */
export async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await tempFolder();
  await addFiles(folder, files);
  return folder;
}

export async function addFiles(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** A small PNG of one colour; another number is another picture. */
export function picture(number: number, width = 40, height = 30): Promise<Buffer> {
  const background = { r: number % 256, g: 80, b: 120 };
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Every file below a folder, by its path in order: Markdown as text, anything else as base64. */
export async function folderOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file) => {
    const encoding = /\.(md|jsonl)$/.test(file) ? 'utf8' : 'base64';
    return [path.relative(folder, file), await readFile(file, encoding)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
