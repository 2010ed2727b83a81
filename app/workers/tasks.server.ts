import { renderMarkdown, type RenderOptions } from '#app/posts/markdown.server.ts';

/** What is worked off in worker threads: everything that takes more than 10 ms of processor time for one request. */
export const tasks = {
  renderMarkdown: (markdown: string, options: RenderOptions) => renderMarkdown(markdown, options),
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;

/** A task on its way to a thread. */
export type TaskCall = { [Name in TaskName]: { name: Name; input: Parameters<Tasks[Name]> } }[TaskName];

/** Runs a task in this thread. */
export async function runTask({ name, input }: TaskCall): Promise<unknown> {
  return tasks[name](...input);
}
