import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '#app/platform/project.server.ts';

const FIELDS = ['Field', 'TextField', 'TextArea', 'Choice'];

/** Every English text of the backend's components: arguments of `t`, tables of names, and labels and helps of fields. */
export function backendTexts(): Map<string, string> {
  const folder = path.join(projectRoot, 'app/admin');
  const texts = new Map<string, string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!server)\.tsx?$/.test(file)) continue;
    const source = readFileSync(path.join(folder, file), 'utf8');
    const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file));
    visit(tree, (text) => texts.set(text, file));
  }
  return texts;
}

/** Modules whose messages may appear on a screen. Messages of commands and of the log do not. */
const modules = [
  'admin',
  'effects',
  'media',
  'newsletter',
  'people',
  'posts',
  'publishing',
  'releases',
  'settings',
];
/** Others that have messages for screens, but no labels. */
const withMessages = [
  ...[...filesOf('time-travel'), ...filesOf('workers')],
  ...[
    'platform/jobs/worker-pool.server.ts',
    'platform/database/failure.server.ts',
    'platform/http/outbound.server.ts',
    'platform/http/parse-form.ts',
  ],
];
const unseen = [
  'bearer',
  'catalogue', // texts of the site itself
  'media/library/move',
  'newsletter/bounces/', // the log's
  'newsletter/lists', // of commands
  'media/store/',
  'posts/lists/rows',
  'preview.server', // says that the server is not built
  'site-view.server',
];

/** Sentences in these files that only commands and the log say. */
const unseenMessages =
  /^(Only a server renders|The source cannot be read|The database|Make the user of|The username “|The provider|If (?:this was not you|you did not expect))/;

/** Every sentence that may appear on a screen, with `{}` for each value in it. */
export function serverMessages(): Map<string, string> {
  const messages = new Map<string, string>();
  for (const file of [...modules.flatMap(filesOf), ...withMessages]) {
    if (!/\.tsx?$/.test(file) || unseen.some((part) => file.includes(part))) continue;
    const source = readFileSync(path.join(projectRoot, 'app', file), 'utf8');
    const look = (node: ts.Node): void => {
      if (isFormOfCount(node)) return;
      const text = formOf(node);
      if (text && /^[A-Z“{1/]/.test(text) && /\w.* .*\.$/.test(text) && !unseenMessages.test(text))
        messages.set(text, file);
      else ts.forEachChild(node, look);
    };
    look(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file)));
  }
  return messages;
}

/** Phrases that no screen shows: log lines, mails, names of fonts and browsers, fixed words of a form. */
const unseenPhrases =
  /^(Samsung Internet|Alt |Ctrl P$|Shift Enter$|M\{|No clipboard|Bearer \{|Let op|Copying media|SELECT|DELETE|INSERT|FROM |AND |ORDER BY|SET LOCAL|AUTH_SECRET|The disk could|An? test message|This message shows|Publishing stopped|The list of posts searches|The \{\}$|Kept for$|As it will be with$)|^(Charter|.* Variable$)/;
const unseenFiles = [...unseen, 'mail', 'passwords/request-reset', 'fonts.ts'];

/**
 * Every phrase in the sources that has no full stop and may appear on a screen: labels in tables, notes of revisions,
 * names from the server. Log lines do not count: they are arguments of a call of the log, or of an error that only the
 * log names.
 */
export function phrases(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of modules.flatMap(filesOf)) {
    if (!/\.tsx?$/.test(file) || unseenFiles.some((part) => file.includes(part))) continue;
    const source = readFileSync(path.join(projectRoot, 'app', file), 'utf8');
    const look = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /\blog\b|report|console/i.test(node.expression.getText())) return;
      if (isFormOfCount(node)) return;
      const text = ts.isJsxText(node) ? node.text.trim() : formOf(node);
      if (text && /^[A-Z“].*[a-z] ?\S/.test(text) && / /.test(text) && !/[.\n]$/.test(text))
        if (!unseenPhrases.test(text)) found.set(text, file);
      ts.forEachChild(node, look);
    };
    look(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file)));
  }
  return found;
}

const kindOf = (file: string) => (file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);

/** An argument of `t.count`: the form for one is named by the one for many, which `backendTexts` has. */
function isFormOfCount({ parent }: ts.Node): boolean {
  // The source file itself has no parent.
  return parent !== undefined && ts.isCallExpression(parent) && parent.expression.getText() === 't.count';
}

function filesOf(module: string): string[] {
  const files = readdirSync(path.join(projectRoot, 'app', module), { recursive: true, encoding: 'utf8' });
  // The demo posts are content.
  const isText = (file: string) => !/^demo\/(?:posts|drawings)\.ts$/.test(file);
  return files.filter(isText).map((file) => path.join(module, file));
}

function formOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

function visit(node: ts.Node, found: (text: string) => void): void {
  if (ts.isCallExpression(node) && /^(t(\.rich|\.count)?|wordsOf\(view\))$/.test(node.expression.getText())) {
    // Of the forms for one and many the second one names the text.
    const text = node.arguments[node.expression.getText() === 't.count' ? 1 : 0];
    if (text) literalsIn(text, found);
  }
  // A table of names, whose values are arguments of `t`.
  const isOnScreen = node.getSourceFile().fileName.endsWith('.tsx');
  const isTable = ts.isVariableDeclaration(node) && /^Record<.*string>$/.test(node.type?.getText() ?? '');
  if (isOnScreen && isTable && node.initializer && ts.isObjectLiteralExpression(node.initializer))
    for (const property of node.initializer.properties)
      if (ts.isPropertyAssignment(property)) literalsIn(property.initializer, found);
  if (ts.isJsxAttribute(node) && ['label', 'help'].includes(node.name.getText())) {
    const tag = node.parent.parent.tagName.getText();
    if (FIELDS.includes(tag) && node.initializer) literalsIn(node.initializer, found);
  }
  ts.forEachChild(node, (child) => visit(child, found));
}

/** The literal texts that an expression may have as its value. */
function literalsIn(node: ts.Node, found: (text: string) => void): void {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    if (node.text !== '') found(node.text);
  } else if (ts.isConditionalExpression(node)) {
    literalsIn(node.whenTrue, found);
    literalsIn(node.whenFalse, found);
  } else if (ts.isBinaryExpression(node)) {
    literalsIn(node.left, found);
    literalsIn(node.right, found);
  } else if (ts.isJsxExpression(node) && node.expression) literalsIn(node.expression, found);
  else if (ts.isParenthesizedExpression(node)) literalsIn(node.expression, found);
}
