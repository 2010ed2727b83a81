/** Limits of a submitted form. The screen table names those that need more. */
export interface FormLimits {
  /** Of the body as it is sent, where percent-encoding makes up to three bytes of one. */
  bytes: number;
  fields: number;
}

const KB = 1024;

/** Forms that nobody has to log in for. */
export const openFormLimits: FormLimits = { bytes: 64 * KB, fields: 50 };

/** Forms of people who have logged in: settings, the largest of them, have room for 20,000 characters of 4 bytes. */
export const formLimits: FormLimits = { bytes: 256 * KB, fields: 200 };

/** The post form: a text of 2 MB in percent-encoding, and what is beside it. */
export const postFormLimits: FormLimits = { bytes: 3 * 2 * KB * KB + 512 * KB, fields: 200 };

/** A list of 200 chosen posts, each with the version that was shown. */
export const bulkFormLimits: FormLimits = { bytes: 256 * KB, fields: 450 };

/** A release: its fields, and as many posts as it holds. */
export const releaseFormLimits: FormLimits = { bytes: 256 * KB, fields: 1_020 };

/** A form that was sent after its session had ended. The login form carries it along. */
export const pendingLimits: FormLimits = { bytes: 2 * KB * KB, fields: 450 };
