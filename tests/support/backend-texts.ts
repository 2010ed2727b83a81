import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '#app/platform/project.server.ts';

const FIELDS = ['Field', 'TextField', 'TextArea', 'Choice'];

/** Every text that the backend's components say in English: what `t` gets, and the labels and helps of fields. */
export function backendTexts(): Map<string, string> {
  const folder = path.join(projectRoot, 'app/admin');
  const texts = new Map<string, string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!server)\.tsx?$/.test(file)) continue;
    const source = readFileSync(path.join(folder, file), 'utf8');
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
    visit(tree, (text) => texts.set(text, file));
  }
  return texts;
}

function visit(node: ts.Node, found: (text: string) => void): void {
  if (ts.isCallExpression(node) && /^(t(\.rich|\.count)?|wordsOf\(view\))$/.test(node.expression.getText())) {
    // Of the forms for one and many the second one names the text.
    const text = node.arguments[node.expression.getText() === 't.count' ? 1 : 0];
    if (text) literalsIn(text, found);
  }
  if (ts.isJsxAttribute(node) && ['label', 'help'].includes(node.name.getText())) {
    const tag = node.parent.parent.tagName.getText();
    if (FIELDS.includes(tag) && node.initializer) literalsIn(node.initializer, found);
  }
  ts.forEachChild(node, (child) => visit(child, found));
}

/** The texts that an expression may come to; what it reads from elsewhere is not among them. */
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
