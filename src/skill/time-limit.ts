// Seconds a skill may take unless it asks for less: what is enforced, and what people are told.

/** Of a script or an action. */
export const SCRIPT_SECONDS = 300;
/** Of a command; a skill may only ask for less. */
export const COMMAND_SECONDS = 60;
