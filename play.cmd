@echo off
rem Play heckmeck in the browser: play [options]. What it does is in scripts\environment.py.
setlocal
set PYTHON=python
where py >nul 2>nul && set PYTHON=py -3
if defined HECKMECK_PYTHON set PYTHON="%HECKMECK_PYTHON%"
%PYTHON% -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>nul
if errorlevel 1 (
    echo play: heckmeck needs Python 3.11 or newer: install it from https://www.python.org and run this again.
    pause
    exit /b 1
)
%PYTHON% "%~dp0scripts\environment.py" play %*
set STATUS=%errorlevel%
rem Somebody who clicked on this file would not see what went wrong.
if not %STATUS%==0 pause
exit /b %STATUS%
