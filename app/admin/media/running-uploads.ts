let running = 0;

/** Counts an upload until it ends. */
export async function countUpload<T>(upload: Promise<T>): Promise<T> {
  running += 1;
  try {
    return await upload;
  } finally {
    running -= 1;
  }
}

/** True while the page sends a file, which is lost when the page is left. */
export function isUploading(): boolean {
  return running > 0;
}
