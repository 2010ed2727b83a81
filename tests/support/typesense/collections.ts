import { typesenseTokens } from './tokens.ts';

export interface Field {
  name: string;
  type: string;
  index?: boolean;
  optional?: boolean;
  facet?: boolean;
  sort?: boolean;
}

export interface Schema {
  name: string;
  fields: Field[];
  default_sorting_field?: string;
  token_separators?: string[];
  symbols_to_index?: string[];
  metadata?: object;
}

export type StoredDocument = Record<string, unknown> & { id: string };

/** An answer other than success: status and Typesense's words, as recorded. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The answer to a key that is wrong or may not do this (recording 08). */
export function forbidden(): Refusal {
  return new Refusal(401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.');
}

/** A collection of the stand-in, in memory. */
export class Collection {
  readonly schema: Schema;
  readonly documents = new Map<string, StoredDocument>();
  readonly #tokens = new Map<string, Map<string, string[]>>();
  readonly #writtenByAlias = new Set<string>();

  constructor(schema: Schema) {
    this.schema = checked(schema);
  }

  /** The answer of `GET /collections/x`. */
  describe(): object {
    const { name, fields, default_sorting_field = '', metadata } = this.schema;
    const { token_separators = [], symbols_to_index = [] } = this.schema;
    const described = fields.map((field) => ({
      facet: false,
      index: true,
      optional: false,
      sort: false,
      ...field,
    }));
    const num_documents = this.documents.size;
    return {
      name,
      fields: described,
      default_sorting_field,
      num_documents,
      token_separators,
      symbols_to_index,
      metadata,
    };
  }

  /** Upserts one line of an import. @returns its answer line */
  importLine(line: string, { byAlias }: { byAlias: boolean }): object {
    let document: StoredDocument;
    try {
      document = JSON.parse(line) as StoredDocument;
    } catch {
      return { code: 400, error: 'Bad JSON: [json.exception.parse_error.101] parse error', success: false };
    }
    if (
      /[\ud800-\udfff]/.test(line.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')) ||
      /\\ud[89a-f]/i.test(line)
    )
      return { code: 400, error: 'Bad JSON: [json.exception.parse_error.101] surrogate', success: false };
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      return { code: 400, error: 'Bad JSON: not a properly formed document.', success: false };
    const error = this.#problemOf(document);
    if (error) return { code: 400, error, success: false };
    this.documents.set(document.id, document);
    this.#tokens.delete(document.id);
    if (byAlias) this.#writtenByAlias.add(document.id);
    else this.#writtenByAlias.delete(document.id);
    return { success: true };
  }

  remove(id: string): boolean {
    this.#tokens.delete(id);
    return this.documents.delete(id);
  }

  /** What a hard restart may do with writes whose alias is resolved while the log is replayed. */
  loseWritesByAlias(): void {
    for (const id of this.#writtenByAlias) this.remove(id);
    this.#writtenByAlias.clear();
  }

  field(name: string): Field | undefined {
    return this.schema.fields.find((field) => field.name === name);
  }

  /** A field's tokens, made once a document. */
  tokensOf(document: StoredDocument, field: string): string[] {
    let fields = this.#tokens.get(document.id);
    if (!fields) this.#tokens.set(document.id, (fields = new Map()));
    let tokens = fields.get(field);
    if (!tokens) {
      const value = document[field];
      const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
      fields.set(field, (tokens = this.tokenize(text)));
    }
    return tokens;
  }

  tokenize(text: string): string[] {
    const { token_separators = [], symbols_to_index = [] } = this.schema;
    return typesenseTokens(text, { separators: token_separators, symbols: symbols_to_index });
  }

  #problemOf(document: StoredDocument): string | undefined {
    if (typeof document.id !== 'string' || document.id === '')
      return "Document's `id` field should be a string.";
    const sorting = this.schema.default_sorting_field;
    if (sorting && document[sorting] === undefined)
      return `Field \`${sorting}\` has been declared as a default sorting field, but is not found in the document.`;
    for (const { name, type, optional } of this.schema.fields) {
      const value = document[name];
      if (value === undefined && optional) continue;
      if (value === undefined)
        return `Field \`${name}\` has been declared in the schema, but is not found in the document.`;
      if (type === 'string' && typeof value !== 'string') return `Field \`${name}\` must be a string.`;
      if (type === 'string[]' && !(Array.isArray(value) && value.every((each) => typeof each === 'string')))
        return `Field \`${name}\` must be an array of string.`;
      if (type === 'int64' && !Number.isInteger(value)) return `Field \`${name}\` must be an int64.`;
    }
    return undefined;
  }
}

function checked(schema: Schema): Schema {
  if (!schema.name) throw new Refusal(400, 'Parameter `name` is required.');
  if (!schema.fields) throw new Refusal(400, 'Parameter `fields` is required.');
  if (schema.fields.length === 0)
    throw new Refusal(
      400,
      'The `fields` value should be an array of objects containing `name`, `type` and optionally, `facet` properties.',
    );
  for (const { name, type, facet, index } of schema.fields) {
    if (!['string', 'string[]', 'int32', 'int64', 'bool', 'float'].includes(type))
      throw new Refusal(
        400,
        `Field \`${name}\` has an invalid data type \`${type}\`, see docs for supported data types.`,
      );
    if (facet && index === false)
      throw new Refusal(400, `Field \`${name}\` cannot be a facet since it's marked as non-indexable.`);
  }
  const sorting = schema.default_sorting_field;
  const field = schema.fields.find(({ name }) => name === sorting);
  if (sorting && !field)
    throw new Refusal(
      400,
      `Default sorting field is defined as \`${sorting}\` but is not found in the schema.`,
    );
  if (sorting && field?.optional)
    throw new Refusal(400, `Default sorting field \`${sorting}\` cannot be an optional field.`);
  if (sorting && field?.type.startsWith('string') && !field.sort)
    throw new Refusal(400, `Default sorting field \`${sorting}\` is not a sortable type.`);
  if (schema.symbols_to_index?.some((symbol) => symbol.length !== 1))
    throw new Refusal(400, '`symbols_to_index` should be an array of character symbols.');
  return schema;
}
