@node "%~dp0vscode-stand-in.mts" %*
