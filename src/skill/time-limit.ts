// Seconds a skill may take unless settings say otherwise: what is enforced, and what people are told.

/** Of a script or an action; a skill may ask for another limit. */
export const SCRIPT_SECONDS = 300;
/** Of a command; a skill may only ask for less. */
export const COMMAND_SECONDS = 60;
